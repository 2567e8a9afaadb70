# The Python package, with the interpreter that it was built for. Without Python.h or NumPy the tests are
# skipped and say which of them is missing.
set(here ${CMAKE_CURRENT_LIST_DIR})
if(DEFINED python_why)
  file(GLOB python_tests CONFIGURE_DEPENDS ${here}/test_*.py)
  foreach(file ${python_tests})
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE test_ python_ name ${name})
    if(python_why STREQUAL "")
      add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_BINARY_DIR}/python
        PYTHONDONTWRITEBYTECODE=1 CORTEN_BUILD=${CMAKE_BINARY_DIR} ${python_program} ${file})
    else()
      add_test(NAME ${name} COMMAND sh -c "echo 'skipped: ${python_why}'; exit 77")
    endif()
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
  endforeach()
endif()

# A GPU for test_device.py where there is none.
if(DEFINED python_why)
  add_library(pretended_device MODULE ${here}/pretended_device.c)
  target_include_directories(pretended_device PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(pretended_device PRIVATE corten_flags corten_static)
  set_target_properties(pretended_device PROPERTIES C_VISIBILITY_PRESET default PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python)
  if(lto)
    target_link_options(pretended_device PRIVATE -fno-lto)
  endif()
endif()
