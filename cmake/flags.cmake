# Flags shared by everything that is compiled: warnings, floating point, sanitizers.
add_library(corten_flags INTERFACE)
target_include_directories(corten_flags INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src
  ${CMAKE_SOURCE_DIR}/schema)
target_compile_definitions(corten_flags INTERFACE _GNU_SOURCE)
target_compile_options(corten_flags INTERFACE
  -Wall -Wextra -Wshadow -Wmissing-prototypes -Wc++-compat -Wvla)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(corten_flags INTERFACE ${CORTEN_ARCH})
endif()
if(CORTEN_WERROR)
  target_compile_options(corten_flags INTERFACE -Werror)
endif()

# strict: no contraction, no reassociation. fast: both are allowed.
if(CORTEN_FLOAT STREQUAL "strict")
  # square roots need no errno: one instruction instead of a branch to the C library
  set(float_flags -ffp-contract=off -fno-math-errno)
  # Nobody looks at exception flags: in the build that is shipped, conditions may become selections,
  # with the same numbers
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CORTEN_SINGLE)
    list(APPEND float_flags -fno-trapping-math)
  endif()
elseif(CORTEN_FLOAT STREQUAL "fast")
  set(float_flags -ffp-contract=fast -fno-math-errno -fno-trapping-math -fassociative-math -fno-signed-zeros
    -mavx2 -mfma)
  target_compile_definitions(corten_flags INTERFACE CT_FAST)
else()
  message(FATAL_ERROR "CORTEN_FLOAT is strict or fast, not ${CORTEN_FLOAT}")
endif()
target_compile_options(corten_flags INTERFACE ${float_flags})

if(CORTEN_SINGLE)
  target_compile_definitions(corten_flags INTERFACE mjUSESINGLE)
else()
  target_compile_options(corten_flags INTERFACE -Wconversion)  # float builds convert on purpose
endif()

if(CORTEN_SANITIZE STREQUAL "address")
  # float-cast-overflow is not part of "undefined": a real number that its integer type cannot hold
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow)
  target_compile_options(corten_flags INTERFACE ${sanitizers} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g)
  target_link_options(corten_flags INTERFACE ${sanitizers})
  target_compile_definitions(corten_flags INTERFACE CT_CHECKS CT_ASAN)
elseif(CORTEN_SANITIZE STREQUAL "thread")
  target_compile_options(corten_flags INTERFACE -fsanitize=thread -g)
  target_link_options(corten_flags INTERFACE -fsanitize=thread)
  target_compile_definitions(corten_flags INTERFACE CT_CHECKS)
elseif(NOT CORTEN_SANITIZE STREQUAL "")
  message(FATAL_ERROR "CORTEN_SANITIZE is address or thread, not ${CORTEN_SANITIZE}")
endif()
