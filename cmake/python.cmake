# The Python package: the extension corten._corten and, beside it, what the package carries.
#
# Built in the shipped variant only, and only where the interpreter has its header; a test says so where
# it has not. CORTEN_PYTHON: which interpreter. The folder python/ of the build is a whole package:
# PYTHONPATH=build/release/python python3 -c "import corten".
set(CORTEN_PYTHON "python3" CACHE STRING "interpreter that the Python package is built for; OFF: none")

set(python_why "")  # why there is no extension; "": there is one
if(NOT CORTEN_PYTHON)
  set(python_why "CORTEN_PYTHON is OFF")
else()
  # the first python3 in the PATH may be without NumPy, which the tests need; Debian's comes with python3-numpy
  find_program(python_program NAMES ${CORTEN_PYTHON} NO_CACHE)
  if(CORTEN_PYTHON STREQUAL "python3")
    foreach(program ${python_program} /usr/bin/python3)
      execute_process(COMMAND ${program} -c "import os, sysconfig, numpy
os.stat(os.path.join(sysconfig.get_paths()['include'], 'Python.h'))"
        OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE code)
      if(code EQUAL 0)
        set(python_program ${program})
        break()
      endif()
    endforeach()
  endif()
  execute_process(COMMAND ${python_program} -c "import sys, sysconfig
print(sysconfig.get_paths()['include'], '%d.%d' % sys.version_info[:2], sep=';')"
    OUTPUT_VARIABLE python_facts OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
  if(NOT python_program OR NOT code EQUAL 0)
    set(python_why "there is no ${CORTEN_PYTHON}")
  else()
    list(GET python_facts 0 python_include)
    list(GET python_facts 1 python_version)
    if(python_version VERSION_LESS 3.11)
      set(python_why "Python ${python_version} is older than 3.11")
    elseif(NOT EXISTS ${python_include}/Python.h)
      set(python_why "Python.h is not installed (python3-dev)")
    endif()
  endif()
endif()

if(python_why STREQUAL "")
  set(package ${CMAKE_BINARY_DIR}/python/corten)
  file(GLOB PYTHON_SOURCES CONFIGURE_DEPENDS bindings/python/src/*.c)
  add_library(corten_python MODULE ${PYTHON_SOURCES})
  target_include_directories(corten_python SYSTEM PRIVATE ${python_include})
  target_link_libraries(corten_python PRIVATE corten_flags corten)
  set_target_properties(corten_python PROPERTIES OUTPUT_NAME _corten PREFIX "" SUFFIX .abi3.so
    LIBRARY_OUTPUT_DIRECTORY ${package} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/lib")
  add_dependencies(corten_python corten_headers)

  # The rest of the package stays where it is; links lead there.
  file(MAKE_DIRECTORY ${package}/lib)
  file(GLOB PYTHON_FILES CONFIGURE_DEPENDS bindings/python/corten/*)
  foreach(file ${PYTHON_FILES})
    get_filename_component(name ${file} NAME)
    if(NOT name STREQUAL "__pycache__")
      file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
    endif()
  endforeach()
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include ${package}/include SYMBOLIC)
  file(CREATE_LINK ${CMAKE_BINARY_DIR}/lib/libcorten.so.0 ${package}/lib/libcorten.so.0 SYMBOLIC)
  file(CREATE_LINK ${CMAKE_BINARY_DIR}/lib/corten/libmujoco.so.3.5.0
    ${package}/lib/libmujoco.so.3.5.0 SYMBOLIC)
else()
  add_custom_target(corten_python COMMAND ${CMAKE_COMMAND} -E echo "no Python package: ${python_why}"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
