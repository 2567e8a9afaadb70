# Makes lib/libcorten.a under the prefix: one object in which link-time optimisation is done and private
# functions are local. Any linker takes it, with and without link-time optimisation, and no name of ours can
# meet a name of the program. Run by `cmake --install`, see install.cmake.

set(archive "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/libcorten.a")
message(STATUS "Installing: ${archive}")
file(MAKE_DIRECTORY "${WORK}")
file(REMOVE "${archive}")
separate_arguments(RELINK)

function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "cannot make ${archive}:\n${command}\n${text}")
  endif()
endfunction()

step(${RELINK} ${OBJECTS} -o "${WORK}/corten.o")
step("${OBJCOPY}" --localize-hidden "${WORK}/corten.o")
step("${AR}" rcs "${archive}" "${WORK}/corten.o")
