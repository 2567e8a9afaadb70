# Three builds of the lane sources side by side: one lane (the library itself), threads (a library of its own
# whose symbols are hidden), and CUDA (compiled wherever nvcc is, run where a GPU is).

file(GLOB LANE_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/math/*.h)
set(here ${CMAKE_CURRENT_SOURCE_DIR}/lanes)

# Lanes as threads. Everything else that the stages call comes from the static library.
add_library(lanes_threads SHARED ${LANE_SOURCES} ${SLOPE_SOURCES} ${here}/runner.c ${here}/probes.c)
target_compile_definitions(lanes_threads PRIVATE CT_LANE_THREADS)
target_include_directories(lanes_threads PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(lanes_threads PRIVATE corten_static)
target_link_options(lanes_threads PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
if(lto)
  target_link_options(lanes_threads PRIVATE -fno-lto)
endif()

add_library(lanes_bits STATIC ${here}/runner.c ${here}/probes.c ${here}/compare.c ${here}/bits.c ${here}/heap.c
  ${here}/march.c)
target_link_libraries(lanes_bits PUBLIC test_support)
foreach(name test_lanes test_lane_bits test_step)
  target_link_libraries(${name} PRIVATE lanes_bits lanes_threads)
endforeach()
set_tests_properties(test_lane_bits PROPERTIES TIMEOUT 1500)  # threads of a sanitizer on a busy machine

# ThreadSanitizer must report the probe that forgets a lane_sync, and must not report its correct twin.
if(CORTEN_SANITIZE STREQUAL "thread")
  add_executable(lane_race lanes/race.c)
  target_link_libraries(lane_race PRIVATE lanes_bits lanes_threads)
  add_test(NAME lane_race_is_found COMMAND lane_race wrong_sync)
  set_tests_properties(lane_race_is_found PROPERTIES PASS_REGULAR_EXPRESSION
    "ThreadSanitizer: data race" TIMEOUT 60)
  add_test(NAME lane_sync_is_clean COMMAND lane_race sync)
  set_tests_properties(lane_sync_is_clean PROPERTIES FAIL_REGULAR_EXPRESSION "ThreadSanitizer" TIMEOUT 60)
endif()

# CUDA. Every lane source must compile on its own, as it is, and so must the headers of src/math; the bit test must link.
# Once per machine is enough, so only the plain release variant does it.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CORTEN_FLOAT STREQUAL "strict" AND NOT CORTEN_SINGLE
    AND CORTEN_SANITIZE STREQUAL "")
  set(nvcc_script ${here}/nvcc.sh)
  set(includes "")
  foreach(header ${LANE_HEADERS})
    string(APPEND includes "#include \"${header}\"\n")
  endforeach()
  set(math_headers ${CMAKE_BINARY_DIR}/cuda/math_headers.c)
  file(GENERATE OUTPUT ${math_headers} CONTENT "${includes}")
  foreach(source ${LANE_SOURCES} ${SLOPE_SOURCES} ${math_headers})
    get_filename_component(name ${source} NAME)
    add_test(NAME nvcc_${name} COMMAND sh ${nvcc_script} "${NVCC}" ${source} ${NVCC_FLAGS})
    set_tests_properties(nvcc_${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()

  # The program for a machine with a GPU: cuda/bits and the recordings it reads, nothing else.
  set(cuda ${CMAKE_BINARY_DIR}/cuda)
  set(support ${CMAKE_CURRENT_SOURCE_DIR}/support)
  add_library(cuda_bits_host STATIC EXCLUDE_FROM_ALL ${here}/cuda_bits.c ${here}/bits.c ${here}/march.c
    ${here}/compare.c ${here}/heap.c ${here}/runner.c ${here}/probes.c ${support}/states.c ${support}/models.c ${support}/recorded.c)
  target_include_directories(cuda_bits_host PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(cuda_bits_host PRIVATE CT_WITHOUT_CMOCKA CT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(cuda_bits_host PRIVATE corten_flags)
  add_dependencies(cuda_bits_host corten_headers)
  if(NVCC)
    corten_cuda_program(cuda_bits_program bits SOURCES ${here}/cuda_runner.cu ${here}/probes.c ${SLOPE_SOURCES}
      ${CMAKE_SOURCE_DIR}/src/batch/cuda/upload.cu LIBRARIES cuda_bits_host corten_static)
    add_custom_target(cuda_bits DEPENDS cuda_bits_program
      COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_CURRENT_SOURCE_DIR}/recorded ${cuda}/recorded)
  endif()
  # Compiling all stages for the GPU takes minutes: `make check` does it, `make test` does not.
  if(CORTEN_GPU_TESTS)
    add_test(NAME nvcc_bits COMMAND sh ${nvcc_script} "${NVCC}" --target ${CMAKE_BINARY_DIR})
    add_test(NAME cuda_bits COMMAND sh ${nvcc_script} "${NVCC}" --run ${cuda}/bits ${cuda}/recorded)
    set_tests_properties(nvcc_bits PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1200 FIXTURES_SETUP cuda_bits)
    set_tests_properties(cuda_bits PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900 FIXTURES_REQUIRED cuda_bits)
  endif()
endif()
