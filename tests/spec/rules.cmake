# The stories about specs are files of their own, so that the reference can tell them too.
target_sources(test_scenarios PRIVATE ${CMAKE_CURRENT_LIST_DIR}/scenarios.c
               ${CMAKE_CURRENT_LIST_DIR}/attach_scenarios.c)
