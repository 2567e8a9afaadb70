# Every public header compiles alone, and a program with all of them, without a warning, as old and new C and C++, with numbers of
# either precision, and with nvcc where there is one.
include(CheckLanguage)
check_language(CXX)

set(headers_alone ${CMAKE_COMMAND} -DINCLUDE=${CMAKE_SOURCE_DIR}/include
  -DPROGRAM=${CMAKE_CURRENT_LIST_DIR}/header_user.c
  -DWORK=${CMAKE_CURRENT_BINARY_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/headers_alone.cmake)

# name: of the test; the rest: the compiler with its flags
function(test_headers_alone name)
  add_test(NAME ${name} COMMAND ${headers_alone} -- ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()

set(strict -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror)
foreach(standard c99 c17)
  test_headers_alone(headers_alone_${standard}
    ${CMAKE_C_COMPILER} -x c -std=${standard} ${strict} -Wc++-compat)
endforeach()
test_headers_alone(headers_alone_single ${CMAKE_C_COMPILER} -x c -std=c17 ${strict} -DmjUSESINGLE)
test_headers_alone(headers_alone_asan ${CMAKE_C_COMPILER} -x c -std=c17 ${strict} -fsanitize=address)

if(CMAKE_CXX_COMPILER)
  foreach(standard c++11 c++17)
    test_headers_alone(headers_alone_${standard}
      ${CMAKE_CXX_COMPILER} -x c++ -std=${standard} ${strict})
  endforeach()
else()
  message(STATUS "No C++ compiler found: the public headers are not tried as C++")
endif()

find_program(CORTEN_NVCC nvcc PATHS /usr/local/cuda/bin)
if(CORTEN_NVCC)
  test_headers_alone(headers_alone_nvcc ${CORTEN_NVCC} -x cu -ptx -o ${CMAKE_CURRENT_BINARY_DIR}/headers_alone.ptx
    -Werror all-warnings)
endif()

# The page of API coverage in docs/ must be the one that this build would write; `make generate` copies it.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CORTEN_FLOAT STREQUAL "strict" AND NOT CORTEN_SINGLE
    AND CORTEN_SANITIZE STREQUAL "")
  add_test(NAME api_coverage_is_current COMMAND ${CMAKE_COMMAND} -E compare_files
    ${CMAKE_BINARY_DIR}/api-coverage.md ${CMAKE_SOURCE_DIR}/docs/api-coverage.md)
endif()
