add_test(NAME command_line COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/apps/cli.sh $<TARGET_FILE:corten_cli>
  ${CMAKE_CURRENT_SOURCE_DIR}/recorded/models ${CORTEN_SINGLE})
