# What benchmarks compute from their samples is tested; how fast anything is, is not.
target_sources(test_measure PRIVATE ${CMAKE_SOURCE_DIR}/bench/measure.c)
target_include_directories(test_measure PRIVATE ${CMAKE_SOURCE_DIR}/bench)
