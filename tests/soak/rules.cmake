# Millions of steps: `make soak` runs it over the corpus, CTest for a moment over models/.
add_executable(soak soak/soak.c)
target_link_libraries(soak PRIVATE conformance_support corten_static)
add_test(NAME soak_for_a_moment COMMAND soak ${CMAKE_SOURCE_DIR}/models --steps 20000 --visit 100)
