# Lane code on the GPU. Every lane source is compiled on its own, as it is, into relocatable device code; programs link the
# objects. So a change costs one file, files compile side by side, and no compilation is larger than one stage.

find_program(NVCC nvcc HINTS /usr/local/cuda/bin)
if(NVCC)
  execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE nvcc_says)
  string(REGEX REPLACE ".*release ([0-9.]+).*" "\\1" NVCC_VERSION "${nvcc_says}")
endif()
set(CORTEN_GPU "90" CACHE STRING "compute capability that GPU programs are built for")

file(GLOB_RECURSE LANE_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/engine/*.c ${CMAKE_SOURCE_DIR}/src/collide/*.c
  ${CMAKE_SOURCE_DIR}/src/soft/*.c)

# Analytic derivatives are lane code too, but no part of a step. Runge-Kutta's are a host's.
file(GLOB SLOPE_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/derive/*_slopes.c)
list(FILTER SLOPE_SOURCES EXCLUDE REGEX "runge_kutta")
foreach(name sparse_factor contact_motion step_work slope_block row_hessian block_weights inertial_weights)
  list(APPEND SLOPE_SOURCES ${CMAKE_SOURCE_DIR}/src/derive/${name}.c)
endforeach()

# The strict build forbids contraction on the GPU too.
set(NVCC_FLAGS -std=c++17 -fmad=false -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}/schema
  -gencode=arch=compute_${CORTEN_GPU},code=sm_${CORTEN_GPU})

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/cuda/objects)

# Adds the rule that compiles a source to cuda/objects/<name>.o, and the object to a list.
function(corten_cuda_object list source)
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
  string(REPLACE "/" "_" name ${name})
  set(object ${CMAKE_BINARY_DIR}/cuda/objects/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${NVCC} -x cu -dc ${NVCC_FLAGS} -I${CMAKE_CURRENT_SOURCE_DIR} -MD -MF ${object}.d ${source} -o ${object}
    DEPENDS ${source} corten_headers
    DEPFILE ${object}.d
    COMMENT "Compiling ${name} for the GPU")
  set(${list} ${${list}} ${object} PARENT_SCOPE)
endfunction()

if(NVCC)
  set(objects "")
  foreach(source ${LANE_SOURCES})
    corten_cuda_object(objects ${source})
  endforeach()
  set(CORTEN_CUDA_LANES ${CMAKE_BINARY_DIR}/cuda/liblanes.a)
  add_custom_command(OUTPUT ${CORTEN_CUDA_LANES}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${CORTEN_CUDA_LANES}
    COMMAND ${NVCC} -lib ${objects} -o ${CORTEN_CUDA_LANES}
    DEPENDS ${objects})
  add_custom_target(cuda_lanes DEPENDS ${CORTEN_CUDA_LANES})
endif()

# A program for the GPU, cuda/<name>, made by a target: the sources as CUDA, all lane code, and libraries of C.
function(corten_cuda_program target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LIBRARIES")
  set(objects "")
  foreach(source ${arg_SOURCES})
    corten_cuda_object(objects ${source})
  endforeach()
  set(libraries "")
  foreach(library ${arg_LIBRARIES})
    list(APPEND libraries $<TARGET_FILE:${library}>)
  endforeach()
  set(program ${CMAKE_BINARY_DIR}/cuda/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${NVCC} ${NVCC_FLAGS} ${objects} ${CORTEN_CUDA_LANES} -Xcompiler=-fno-lto -Xlinker=--start-group ${libraries}
      -Xlinker=--end-group ${CORTEN_LINK} -o ${program}
    DEPENDS ${objects} cuda_lanes ${CORTEN_CUDA_LANES} ${arg_LIBRARIES}
    COMMENT "Linking cuda/${name}")
  add_custom_target(${target} DEPENDS ${program})
endfunction()
