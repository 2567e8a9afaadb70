# The comparison is shared with the programs in tests/conformance.
target_link_libraries(test_compare PRIVATE conformance_support)
