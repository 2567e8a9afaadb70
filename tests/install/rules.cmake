# Installs into the build folder, moves the prefix, and builds programs against it the ways users do.
# A library with sanitizers needs programs with sanitizers; those variants are not installed.
if(CORTEN_SANITIZE STREQUAL "")
  add_test(NAME install_programs COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${CMAKE_SOURCE_DIR} -DBUILD=${CMAKE_BINARY_DIR} -DSINGLE=${CORTEN_SINGLE}
    -DCC=${CMAKE_C_COMPILER} -DNM=${CORTEN_NM} -P ${CMAKE_CURRENT_LIST_DIR}/check.cmake)
  set_tests_properties(install_programs PROPERTIES TIMEOUT 300)
endif()
