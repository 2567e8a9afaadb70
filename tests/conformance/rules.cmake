# Programs that compare corten with the reference. They are linked with neither: both libraries are opened
# at run time, so that functions of the same name stay apart. Built with everything else, run by
# `make conformance` and by hand, and not part of CTest, because the reference is needed.
#   conform_<noun>.c  compares live       record_<noun>.c  writes tests/recorded/<noun>.rec
# All other sources of the folder are shared by them and by the tests that replay recordings.
file(GLOB CONFORMANCE_PROGRAMS CONFIGURE_DEPENDS conformance/conform_*.c conformance/record_*.c)
file(GLOB CONFORMANCE_SHARED CONFIGURE_DEPENDS conformance/*.c)
list(REMOVE_ITEM CONFORMANCE_SHARED "" ${CONFORMANCE_PROGRAMS})

add_library(conformance_support STATIC ${CONFORMANCE_SHARED} ${CMAKE_SOURCE_DIR}/src/base/model/fields.c)
target_include_directories(conformance_support PUBLIC
  ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/schema)
target_compile_definitions(conformance_support PUBLIC CT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
target_link_libraries(conformance_support PUBLIC corten_flags dl m)
add_dependencies(conformance_support corten_headers)

foreach(source ${CONFORMANCE_PROGRAMS})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE conformance_support)
endforeach()

# The replay of recorded mju_ cases runs on the shared library, as programs see it.
target_link_libraries(test_mju_recorded PRIVATE conformance_support)
add_dependencies(test_mju_recorded corten)

# What specs consist of is a table of the library's own.
foreach(name conform_parse conform_loading)
  target_link_libraries(${name} PRIVATE corten_static)
endforeach()
