# Nobody calls upstairs: the objects' symbols and the sources' includes follow the table of rooms in docs/architecture.md.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(page ${CMAKE_SOURCE_DIR}/docs/architecture.md)
set(objects $<TARGET_OBJECTS:corten_objects>)
add_test(NAME rooms_stand_in_order COMMAND sh ${here}/check.sh ${page} ${CORTEN_NM} ${CMAKE_SOURCE_DIR}/src ${objects}
  COMMAND_EXPAND_LISTS)

# The check can fail: beside the real objects or in a small tree of sources stands one mistake of each kind.
add_library(rooms_upward OBJECT ${here}/upward/src/base/calls_up.c)
target_link_libraries(rooms_upward PRIVATE corten_flags)
function(rooms_refuse name page message)
  add_test(NAME rooms_see_${name} COMMAND sh ${here}/refuses.sh ${message} ${page} ${CORTEN_NM} ${ARGN} COMMAND_EXPAND_LISTS)
endfunction()
set(small ${here}/upward/src ${objects})
rooms_refuse(a_call_upwards ${page} "src/base/calls_up.c uses mj_step of src/host/.*, but room base does not stand on host$"
  ${CMAKE_SOURCE_DIR}/src ${objects} $<TARGET_OBJECTS:rooms_upward>)
rooms_refuse(an_include_upwards ${page}
  "src/math/includes_up.h includes src/engine/step.h, but room math does not stand on engine$" ${small})
rooms_refuse(an_include_upwards_in_a_table ${page}
  "src/math/includes_up.def includes src/engine/step.h, but room math does not stand on engine$" ${small})
rooms_refuse(an_include_upwards_in_angles ${page}
  "src/math/includes_up_in_angles.h includes src/engine/step.h, but room math does not stand on engine$" ${small})
rooms_refuse(an_include_around_rooms ${page}
  "^src/math/includes_around.h includes ../engine/step.h, which is not the path of a file from src/$" ${small})
rooms_refuse(an_include_without_a_room ${page}
  "^src/math/includes_around.h includes twice.h, which is not the path of a file from src/$" ${small})
rooms_refuse(a_name_twice ${page} "^twice.h is the name of more than one file: .*src/base/twice.h .*src/math/twice.h$" ${small})
rooms_refuse(a_type_twice ${page} "^type ct_Twice is defined more than once: .*src/base/twice.h .*src/math/twice.h$" ${small})
rooms_refuse(a_tag_twice ${page} "^tag ct_TwiceTag is defined more than once: .*src/base/twice.h .*src/math/twice.h$" ${small})
rooms_refuse(a_function_without_a_use ${page}
  "src/math/nobody_calls.h declares ct_nobody_calls, which nothing shipped uses$" ${small})
rooms_refuse(a_room_without_a_row ${page} "^src/attic is not in the table of rooms$" ${small})
rooms_refuse(a_row_without_a_room ${page} "^room engine/solver of the table has no file$" ${small})
rooms_refuse(a_file_that_is_gone ${here}/circle.md "circle.md names engine/gone.c, which does not exist$" ${small})
rooms_refuse(a_circle ${here}/circle.md "^the table lets base stand on engine, which is not a row above it$" ${small})
