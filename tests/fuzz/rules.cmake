# What reads foreign bytes is fed in two ways. The ordinary test replays what fuzzing once found.
file(GLOB FEEDS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/feed_*.c ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/use_*.c)
target_sources(test_findings PRIVATE ${FEEDS})
set_tests_properties(test_forged PROPERTIES TIMEOUT 1200)  # a minute under the sanitizers, on a machine that is not busy
target_sources(test_forged PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/use_model.c)
if(CORTEN_SANITIZE STREQUAL "thread")  # nothing in it is threaded, so one model will do
  set_tests_properties(test_forged PROPERTIES ENVIRONMENT "CT_FORGE_MODEL=tendons")
endif()
target_sources(test_edit_sequences PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/feed_edits.c)

# Fuzzers, built with clang: cmake -DCMAKE_C_COMPILER=clang -DCORTEN_SANITIZE=address -DCORTEN_FUZZ=ON.
# One for each kind of file; tests/fuzz/run.sh builds and runs them.
option(CORTEN_FUZZ "build the fuzzers of tests/fuzz; needs clang" OFF)
if(CORTEN_FUZZ)
  target_compile_options(corten_flags INTERFACE -fsanitize=fuzzer-no-link)
  add_library(feeds OBJECT EXCLUDE_FROM_ALL ${FEEDS} ${CMAKE_CURRENT_SOURCE_DIR}/support/idle_plugin.c)
  target_include_directories(feeds PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(feeds PRIVATE corten_static)
  add_custom_target(fuzzers)
  foreach(kind mjb mjcf model urdf stl obj msh gmsh png raw hfield skin edits)
    add_executable(fuzz_${kind} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz.c $<TARGET_OBJECTS:feeds>)
    target_include_directories(fuzz_${kind} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_definitions(fuzz_${kind} PRIVATE FEED=feed_${kind})
    target_link_libraries(fuzz_${kind} PRIVATE corten_static)
    target_link_options(fuzz_${kind} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers fuzz_${kind})
  endforeach()
  target_compile_definitions(fuzz_mjb PRIVATE FIXED_LENGTH)
  add_executable(dictionary_mjcf EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/dictionary_mjcf.c)
  target_include_directories(dictionary_mjcf PRIVATE ${CMAKE_SOURCE_DIR}/schema)
  target_link_libraries(dictionary_mjcf PRIVATE corten_flags)
  add_dependencies(fuzzers dictionary_mjcf)
endif()
