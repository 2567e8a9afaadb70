# Compiles a file for each public header that includes nothing else, and a program that uses them; fails with
# what the compiler says.
#   cmake -DINCLUDE=include -DPROGRAM=file -DWORK=folder -P headers_alone.cmake -- compiler flags...

set(compiler)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(started)
    list(APPEND compiler "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(started TRUE)
  endif()
endforeach()

file(GLOB headers RELATIVE ${INCLUDE} ${INCLUDE}/mujoco/*.h ${INCLUDE}/corten/*.h)
list(LENGTH headers count)
if(count LESS 14)
  message(FATAL_ERROR "only ${count} headers in ${INCLUDE}")
endif()
string(MD5 name "${compiler}")  # several of these run at a time
set(source ${WORK}/headers_alone_${name}.c)
function(compile what file)
  execute_process(COMMAND ${compiler} -I${INCLUDE} ${file} RESULT_VARIABLE failed
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${what}: ${output}")
  endif()
endfunction()

foreach(header ${headers})
  file(WRITE ${source} "#include <${header}>\nint headers_alone(void);\nint headers_alone(void) { return 0; }\n")
  compile("<${header}> alone" ${source})
endforeach()
compile("${PROGRAM}" ${PROGRAM})
message(STATUS "${count} headers alone and ${PROGRAM} compile with: ${compiler}")
