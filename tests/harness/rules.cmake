# The comparison is shared with the programs in tests/conformance.
foreach(name test_compare test_crew test_motion test_questions test_scoreboard test_recorded_models)
  target_link_libraries(${name} PRIVATE conformance_support)
endforeach()
target_sources(test_compare PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/harness/made_up.c)
set_tests_properties(test_compare PROPERTIES SKIP_RETURN_CODE 77)

# corten against itself runs on the shared library, as programs see it.
add_dependencies(test_questions corten)
add_dependencies(test_motion corten)
set_tests_properties(test_questions PROPERTIES TIMEOUT 900)

# What `make test` says at its end.
add_test(NAME summary_counts_what_was_skipped
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/harness/summary_test.sh ${CMAKE_CURRENT_SOURCE_DIR}/summary.sh ${CMAKE_CURRENT_BINARY_DIR}/summary)

# What was found once is tested by name.
add_test(NAME every_fault_has_its_test
  COMMAND sh -c "'${CMAKE_CTEST_COMMAND}' --test-dir '${CMAKE_BINARY_DIR}' -N >'${CMAKE_CURRENT_BINARY_DIR}/listed.txt' && sh '${CMAKE_CURRENT_SOURCE_DIR}/harness/faults_test.sh' '${CMAKE_SOURCE_DIR}' '${CMAKE_CURRENT_BINARY_DIR}/listed.txt' 40")
add_test(NAME faults_without_a_test_are_seen
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/harness/faults_check_test.sh ${CMAKE_CURRENT_SOURCE_DIR}/harness/faults_test.sh ${CMAKE_CURRENT_BINARY_DIR}/faults)

# The first screen says what the generated tables say.
add_test(NAME readme_has_the_numbers_of_the_tables
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/harness/readme_test.sh ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/docs/conformance.md ${CMAKE_SOURCE_DIR}/docs/performance.md)
add_test(NAME numbers_that_move_are_seen
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/harness/readme_check_test.sh ${CMAKE_CURRENT_SOURCE_DIR}/harness/readme_test.sh ${CMAKE_CURRENT_BINARY_DIR}/readme ${CMAKE_SOURCE_DIR})
