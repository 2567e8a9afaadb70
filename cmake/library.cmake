# The generator writes the generated regions of the public headers; the library's objects are compiled
# once; functions that no object defines get a generated stub; from the two come the shared library, the
# static one, and the shared one under the name that existing binaries look for.

file(GLOB GENERATOR CONFIGURE_DEPENDS schema/generate*.c)
add_executable(corten_generate ${GENERATOR})
target_include_directories(corten_generate PRIVATE schema)
target_compile_options(corten_generate PRIVATE -Wall -Wextra -Wshadow)
file(GLOB SCHEMA CONFIGURE_DEPENDS schema/*.def)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/headers.stamp
  COMMAND corten_generate ${CMAKE_SOURCE_DIR}
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/headers.stamp
  DEPENDS corten_generate ${SCHEMA}
  COMMENT "Generating public headers")
add_custom_target(corten_headers DEPENDS ${CMAKE_BINARY_DIR}/headers.stamp)

file(GLOB_RECURSE CORTEN_SOURCES CONFIGURE_DEPENDS src/*.c)
list(FILTER CORTEN_SOURCES EXCLUDE REGEX "src/batch/cuda/")
add_library(corten_objects OBJECT ${CORTEN_SOURCES})
set_source_files_properties(src/base/version.c PROPERTIES COMPILE_DEFINITIONS CORTEN_VERSION=${PROJECT_VERSION})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Chosen at run time. Clang takes it for leave to fuse what math/strict_base.h would have fused.
  set_source_files_properties(src/batch/four_stages_avx512.c PROPERTIES
    COMPILE_OPTIONS "-mavx512f;-mavx512dq;-mavx512vl;-mprefer-vector-width=256;-U__FMA__")
endif()
target_link_libraries(corten_objects PRIVATE corten_flags)
add_dependencies(corten_objects corten_headers)

set(lto OFF)
if(CORTEN_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"
    AND CORTEN_SANITIZE STREQUAL "")
  set(lto ON)
  # fat objects, which only GCC has: the static library also serves programs that are linked without
  # link-time optimisation
  target_compile_options(corten_objects PRIVATE -flto -ffat-lto-objects)
endif()

if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  string(REGEX MATCH "^[0-9]+" clang_major "${CMAKE_C_COMPILER_VERSION}")
  find_program(CORTEN_NM NAMES llvm-nm-${clang_major} llvm-nm REQUIRED)
else()
  find_program(CORTEN_NM NAMES gcc-nm nm REQUIRED)
endif()
set(stubs ${CMAKE_BINARY_DIR}/stubs.c)
set(symbols ${CMAKE_BINARY_DIR}/symbols.txt)
add_custom_command(OUTPUT ${stubs}
  COMMAND ${CORTEN_NM} -P -g --defined-only $<TARGET_OBJECTS:corten_objects> > ${symbols}
  COMMAND corten_generate ${CMAKE_SOURCE_DIR} --symbols ${symbols} --stubs ${stubs}
  COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${stubs}
  DEPENDS corten_generate corten_objects $<TARGET_OBJECTS:corten_objects>
  COMMAND_EXPAND_LISTS
  COMMENT "Generating stubs of missing functions")
add_library(corten_stubs OBJECT ${stubs})
target_link_libraries(corten_stubs PRIVATE corten_flags)
set_source_files_properties(${stubs} PROPERTIES COMPILE_OPTIONS -Wno-unused-parameter)

set(parts $<TARGET_OBJECTS:corten_objects> $<TARGET_OBJECTS:corten_stubs>)
foreach(name corten corten_dropin)
  add_library(${name} SHARED ${parts})
  target_link_libraries(${name} PRIVATE corten_flags ${CORTEN_LIBRARIES})
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
  if(lto)
    # the linker compiles: it needs the rules of arithmetic too
    target_link_options(${name} PRIVATE -flto$<$<C_COMPILER_ID:GNU>:=auto> -O3 ${float_flags})
  endif()
endforeach()
if(CORTEN_SANITIZE STREQUAL "" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_link_options(corten PRIVATE -Wl,--no-undefined)
  target_link_options(corten_dropin PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(corten PROPERTIES SOVERSION 0 VERSION ${PROJECT_VERSION})
set_target_properties(corten_dropin PROPERTIES OUTPUT_NAME mujoco SUFFIX .so.3.5.0 NO_SONAME ON
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/corten)
target_link_options(corten_dropin PRIVATE -Wl,-soname,libmujoco.so.3.5.0)

add_library(corten_static STATIC ${parts})
set_target_properties(corten_static PROPERTIES OUTPUT_NAME corten)
target_link_libraries(corten_static PUBLIC corten_flags ${CORTEN_LIBRARIES})

# docs/api-coverage.md: the build keeps a fresh one beside the objects, a test compares it with the one in
# docs/, and `make generate` copies it there.
file(GLOB_RECURSE TEST_SOURCES CONFIGURE_DEPENDS tests/*.c)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/api-coverage.md
  COMMAND cat ${TEST_SOURCES} > ${CMAKE_BINARY_DIR}/tests.txt
  COMMAND corten_generate ${CMAKE_SOURCE_DIR} --symbols ${symbols} --tests ${CMAKE_BINARY_DIR}/tests.txt
    --coverage ${CMAKE_BINARY_DIR}/api-coverage.md
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/api-coverage.md
  DEPENDS corten_stubs ${TEST_SOURCES}
  COMMENT "Listing API coverage")
add_custom_target(corten_coverage ALL DEPENDS ${CMAKE_BINARY_DIR}/api-coverage.md)
