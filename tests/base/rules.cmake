# test_plugin loads a plugin library, which finds corten's functions in the program itself.
add_library(plugin_library MODULE ${CMAKE_CURRENT_LIST_DIR}/plugin_library.c)
target_include_directories(plugin_library PRIVATE ${CMAKE_SOURCE_DIR}/include)
set_target_properties(test_plugin PROPERTIES ENABLE_EXPORTS ON)
target_compile_definitions(test_plugin PRIVATE CT_PLUGIN_LIBRARY="$<TARGET_FILE:plugin_library>")
add_dependencies(test_plugin plugin_library)
