add_test(NAME command_line COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/apps/cli.sh $<TARGET_FILE:corten_cli>
  ${CMAKE_CURRENT_SOURCE_DIR}/recorded/models ${CORTEN_SINGLE})

# Drivers have threads that no one has instrumented, so not under ThreadSanitizer.
if(NOT CORTEN_SANITIZE STREQUAL "thread")
  add_executable(pixels apps/pixels.c)
  target_link_libraries(pixels PRIVATE corten_flags ${CORTEN_LIBRARIES})
  add_test(NAME viewer COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/apps/view.sh $<TARGET_FILE:corten_cli> $<TARGET_FILE:pixels>)
  set_tests_properties(viewer PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
