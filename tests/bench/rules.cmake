# What benchmarks compute from their samples is tested; how fast anything is, is not.
target_sources(test_measure PRIVATE ${CMAKE_SOURCE_DIR}/bench/measure.c)
target_include_directories(test_measure PRIVATE ${CMAKE_SOURCE_DIR}/bench)

# The page is what the tables say: nobody edits it by hand.
add_test(NAME performance_page COMMAND sh -c "sh bench/report.sh bench/results | diff - docs/performance.md"
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
