# Tests of plugins have them inside; that libraries with them are found and opened is the command line's test.
foreach(pair pid:pid.c cable:cable.c touch_grid:touch_grid.c
    shapes:sdf.c,torus.c,bowl.c,screw.c,gear.c
    decoders:stl.c,obj.c,triangles.c)
  string(REGEX MATCH "^[^:]+" noun ${pair})
  string(REGEX REPLACE "^[^:]+:" "" sources ${pair})
  string(REPLACE "," ";" sources ${sources})
  list(TRANSFORM sources PREPEND ${CMAKE_SOURCE_DIR}/plugin/)
  target_sources(test_${noun} PRIVATE ${sources} ${CMAKE_SOURCE_DIR}/plugin/config.c)
  target_include_directories(test_${noun} PRIVATE ${CMAKE_SOURCE_DIR}/plugin)
endforeach()
