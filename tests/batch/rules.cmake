# Tests of batches share their environments.
file(GLOB BATCH_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.c)
foreach(source ${BATCH_TESTS})
  get_filename_component(name ${source} NAME_WE)
  target_sources(${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/environments.c)
endforeach()

# Those of a GPU have the same batch on a CPU too.
foreach(name test_cuda_batch test_cuda_trouble)
  target_sources(${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/pairs.c)
endforeach()

# A device that fails on demand, opened in place of libcorten_cuda.so.
add_library(broken_device MODULE ${CMAKE_CURRENT_LIST_DIR}/broken_device.c)
target_include_directories(broken_device PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
set_target_properties(broken_device PROPERTIES C_VISIBILITY_PRESET default)
if(CORTEN_SINGLE)
  target_compile_definitions(broken_device PRIVATE mjUSESINGLE)
endif()
target_compile_definitions(test_broken_device PRIVATE CT_BROKEN_DEVICE="$<TARGET_FILE:broken_device>")
add_dependencies(test_broken_device broken_device)

# A device in float, for a host in double.
if(NOT CORTEN_SINGLE)
  add_library(float_device MODULE ${CMAKE_CURRENT_LIST_DIR}/float_device.c)
  target_include_directories(float_device PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/schema)
  set_target_properties(float_device PROPERTIES C_VISIBILITY_PRESET default)
  target_compile_definitions(float_device PRIVATE mjUSESINGLE)
  target_compile_definitions(test_float_backend PRIVATE CT_FLOAT_DEVICE="$<TARGET_FILE:float_device>")
  add_dependencies(test_float_backend float_device)
endif()

# The program on the page about batches is compiled and run.
set(example ${CMAKE_CURRENT_BINARY_DIR}/batch_example.c)
add_custom_command(OUTPUT ${example}
  COMMAND awk "/^## A batch in twenty lines/ { on = 1; next } on && /^[^ ]/ { exit } on { sub(/^    /, \"\"); print }"
    ${CMAKE_SOURCE_DIR}/docs/batch.md > ${example}
  DEPENDS ${CMAKE_SOURCE_DIR}/docs/batch.md
  VERBATIM)
add_executable(batch_example ${example})
target_link_libraries(batch_example PRIVATE corten_static)
if(lto)
  target_link_options(batch_example PRIVATE -fno-lto)
endif()
add_test(NAME batch_example COMMAND batch_example ${CMAKE_SOURCE_DIR}/models/humanoid.xml)
set_tests_properties(batch_example PROPERTIES PASS_REGULAR_EXPRESSION "0 of 1024 failed" TIMEOUT 300)

# Kernels for GPUs are compiled as far as that is quick; what runs on a GPU is in test_cuda_batch, which is skipped without one.
if(TARGET cuda_sample AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CORTEN_FLOAT STREQUAL "strict" AND NOT CORTEN_SINGLE)
  add_test(NAME nvcc_cuda_sample COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target cuda_sample)
  set_tests_properties(nvcc_cuda_sample PROPERTIES TIMEOUT 600)
endif()
