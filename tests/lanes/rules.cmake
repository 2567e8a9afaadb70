# Three builds of the lane sources side by side: one lane (the library itself), threads (a library of its own
# whose symbols are hidden), and CUDA (compiled wherever nvcc is, run where a GPU is).

file(GLOB LANE_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/engine/*.c
  ${CMAKE_SOURCE_DIR}/src/collide/*.c ${CMAKE_SOURCE_DIR}/src/soft/*.c)
file(GLOB LANE_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/math/*.h)
set(here ${CMAKE_CURRENT_SOURCE_DIR}/lanes)

# Lanes as threads. Everything else that the stages call comes from the static library.
add_library(lanes_threads SHARED ${LANE_SOURCES} ${here}/runner.c ${here}/probes.c)
target_compile_definitions(lanes_threads PRIVATE CT_LANE_THREADS)
target_include_directories(lanes_threads PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(lanes_threads PRIVATE corten_static)
target_link_options(lanes_threads PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
if(lto)
  target_link_options(lanes_threads PRIVATE -fno-lto)
endif()

add_library(lanes_bits STATIC ${here}/runner.c ${here}/probes.c ${here}/bits.c)
target_link_libraries(lanes_bits PUBLIC test_support)
foreach(name test_lanes test_lane_bits)
  target_link_libraries(${name} PRIVATE lanes_bits lanes_threads)
endforeach()

# ThreadSanitizer must report the probe that forgets a lane_sync, and must not report its correct twin.
if(CORTEN_SANITIZE STREQUAL "thread")
  add_executable(lane_race lanes/race.c)
  target_link_libraries(lane_race PRIVATE lanes_bits lanes_threads)
  add_test(NAME lane_race_is_found COMMAND lane_race without_sync)
  set_tests_properties(lane_race_is_found PROPERTIES PASS_REGULAR_EXPRESSION
    "ThreadSanitizer: data race" TIMEOUT 60)
  add_test(NAME lane_sync_is_clean COMMAND lane_race with_sync)
  set_tests_properties(lane_sync_is_clean PROPERTIES FAIL_REGULAR_EXPRESSION "ThreadSanitizer" TIMEOUT 60)
endif()
