# What `cmake --install` puts under a prefix. Everything finds its neighbours by relative paths, so the
# prefix may be moved.
#
#   bin/corten                        the command line
#   include/mujoco, include/corten    public headers
#   lib/libcorten.so, lib/libcorten.a
#   lib/corten/libmujoco.so.3.5.0     the shared library under the name existing binaries look for
#   lib/corten/plugin/*.so            plugins
#   share/man                         the manual page
#   share/bash-completion, share/zsh, share/fish    completion
#   lib/pkgconfig, lib/cmake          for build systems; find_package(mujoco) finds corten, too

include(CMakePackageConfigHelpers)

install(TARGETS corten corten_cli
  RUNTIME DESTINATION bin
  LIBRARY DESTINATION lib)
install(TARGETS corten_dropin LIBRARY DESTINATION lib/corten)
install(TARGETS ${PLUGIN_TARGETS} LIBRARY DESTINATION lib/corten/plugin)
install(DIRECTORY include/mujoco include/corten DESTINATION include FILES_MATCHING PATTERN "*.h")

# Programs built for the reference ask the linker for -lmujoco and the loader for libmujoco.so.3.5.0.
install(CODE [[
  set(dropin "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/corten")
  file(MAKE_DIRECTORY "${dropin}")
  file(CREATE_LINK libmujoco.so.3.5.0 "${dropin}/libmujoco.so" SYMBOLIC)
  message(STATUS "Installing: ${dropin}/libmujoco.so")
]])

# The manual page and the completion of shells, all from the table of commands.
install(CODE "
  function(write_share file)
    set(path \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/\${file}\")
    get_filename_component(folder \"\${path}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND $<TARGET_FILE:corten_cli> \${ARGN} OUTPUT_FILE \"\${path}\" COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS \"Installing: \${path}\")
  endfunction()
  write_share(man/man1/corten.1 manual)
  write_share(bash-completion/completions/corten completion bash)
  write_share(zsh/site-functions/_corten completion zsh)
  write_share(fish/vendor_completions.d/corten.fish completion fish)
")

# The archive of the build shows every private function to the tests; the one that is installed must not.
set(relink ${CMAKE_C_COMPILER} -r -nostdlib)
if(lto)
  list(APPEND relink -flto -flinker-output=nolto-rel -O3 ${float_flags})
endif()
string(REPLACE ";" " " relink "${relink}")
install(CODE "
  set(OBJECTS \"$<TARGET_OBJECTS:corten_objects>;$<TARGET_OBJECTS:corten_stubs>\")
  set(RELINK \"${relink}\")
  set(OBJCOPY \"${CMAKE_OBJCOPY}\")
  set(AR \"${CMAKE_AR}\")
  set(WORK \"${CMAKE_BINARY_DIR}/archive\")
  include(\"${CMAKE_SOURCE_DIR}/cmake/archive.cmake\")
")

# What a user of the library must define to see the types it was built with.
set(PACKAGE_DEFINITIONS "")
set(PACKAGE_CFLAGS "")
if(CORTEN_SINGLE)
  set(PACKAGE_DEFINITIONS mjUSESINGLE)
  set(PACKAGE_CFLAGS " -DmjUSESINGLE")
endif()
configure_file(cmake/package/corten.pc.in ${CMAKE_BINARY_DIR}/package/corten.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/corten.pc DESTINATION lib/pkgconfig)

set(MUJOCO_VERSION 3.5.0)
foreach(package corten mujoco)
  set(version ${PROJECT_VERSION})
  if(package STREQUAL "mujoco")
    set(version ${MUJOCO_VERSION})
  endif()
  configure_file(cmake/package/${package}Config.cmake.in
    ${CMAKE_BINARY_DIR}/package/${package}Config.cmake @ONLY)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/${package}ConfigVersion.cmake
    VERSION ${version} COMPATIBILITY SameMajorVersion)
  install(FILES
    ${CMAKE_BINARY_DIR}/package/${package}Config.cmake
    ${CMAKE_BINARY_DIR}/package/${package}ConfigVersion.cmake
    DESTINATION lib/cmake/${package})
endforeach()
