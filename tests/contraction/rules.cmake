# No multiplication of the strict library is fused with an addition unless that is meant, whatever compiler and linker
# make of the flags.
if(CORTEN_FLOAT STREQUAL "strict" AND CORTEN_SANITIZE STREQUAL "" AND CMAKE_OBJDUMP AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(here ${CMAKE_CURRENT_LIST_DIR})
  set(meant no)
  if(CORTEN_ARCH MATCHES "fma|v3|v4|native")
    set(meant yes)
  endif()
  add_test(NAME strict_library_fuses_nothing COMMAND sh ${here}/check.sh ${CMAKE_OBJDUMP} $<TARGET_FILE:corten> ${meant})

  # The check can fail.
  add_library(contraction_example OBJECT ${here}/fused.c)
  target_compile_options(contraction_example PRIVATE -O2 -mfma -ffp-contract=fast)
  add_test(NAME fused_sum_is_found COMMAND sh ${here}/check.sh ${CMAKE_OBJDUMP} $<TARGET_OBJECTS:contraction_example> no)
  set_tests_properties(fused_sum_is_found PROPERTIES PASS_REGULAR_EXPRESSION "contraction_example.* fused operations")
endif()

# Code of AVX-512 is entered only where the processor was asked for it.
if(CORTEN_SANITIZE STREQUAL "" AND CMAKE_OBJDUMP AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CORTEN_ARCH MATCHES "avx512|v4|native")
  set(here ${CMAKE_CURRENT_LIST_DIR})
  add_test(NAME newer_instructions_are_chosen COMMAND sh ${here}/chosen.sh ${CMAKE_OBJDUMP} $<TARGET_FILE:corten>)

  # The check can fail. Linked, so that calls have addresses.
  add_library(chosen_example SHARED ${here}/unchosen.c)
  target_compile_options(chosen_example PRIVATE -O1 -fvisibility=hidden)
  add_test(NAME unchosen_instructions_are_found COMMAND sh ${here}/chosen.sh ${CMAKE_OBJDUMP} $<TARGET_FILE:chosen_example>)
  set_tests_properties(unchosen_instructions_are_found PROPERTIES PASS_REGULAR_EXPRESSION "everybody_example.* enters .*twice_example")
endif()
