# Plugins of our own. A library has no engine of its own: it finds the functions of the one that opens it,
# so that the same files serve libcorten.so, libmujoco.so.3.5.0 and programs with the archive inside.

set(PLUGIN_FOLDER ${CMAKE_BINARY_DIR}/lib/corten/plugin)
set(PLUGIN_TARGETS "")
function(add_plugin_library name)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/plugin/)
  add_library(plugin_${name} MODULE ${CMAKE_SOURCE_DIR}/plugin/library_${name}.c ${ARGN})
  target_link_libraries(plugin_${name} PRIVATE corten_flags m)
  set_target_properties(plugin_${name} PROPERTIES OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${PLUGIN_FOLDER})
  add_dependencies(plugin_${name} corten_headers)
  set(PLUGIN_TARGETS ${PLUGIN_TARGETS} plugin_${name} PARENT_SCOPE)
endfunction()

add_plugin_library(actuator pid.c config.c)
add_plugin_library(elasticity cable.c config.c)
add_plugin_library(sensor touch_grid.c config.c)
add_plugin_library(sdf sdf.c torus.c bowl.c screw.c gear.c config.c)
add_plugin_library(decoder stl.c obj.c triangles.c)
