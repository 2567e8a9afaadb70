# Tests of batches share their environments.
file(GLOB BATCH_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.c)
foreach(source ${BATCH_TESTS})
  get_filename_component(name ${source} NAME_WE)
  target_sources(${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/environments.c)
endforeach()
