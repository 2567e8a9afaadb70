# libcorten_cuda.so, the backend for GPUs (docs/gpu.md): make cuda, or -DCORTEN_CUDA=ON and the target corten_cuda.
#
# Special kernels are one translation unit each, with all lane code in it. The general ones are linked from lane sources that are
# compiled one by one. Both see mjData as src/batch/cuda/layout.h has it.

option(CORTEN_CUDA "build libcorten_cuda.so for GPUs" OFF)
set(CORTEN_CUDA_FOR "90" CACHE STRING "compute capabilities that libcorten_cuda.so has code for, such as 80;86;89;90")

set(folder ${CMAKE_SOURCE_DIR}/src/batch/cuda)
set(out ${CMAKE_BINARY_DIR}/cuda/library)
file(MAKE_DIRECTORY ${out})

set(CUDA_FLAGS -x cu -std=c++17 -O3 -Xcompiler=-fPIC -include ${folder}/layout.h -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/src
  -I${CMAKE_SOURCE_DIR}/schema -I${out} --diag-suppress=177,128)
if(NOT CORTEN_FLOAT STREQUAL "fast")
  list(APPEND CUDA_FLAGS -fmad=false)
elseif(CORTEN_SINGLE)
  list(APPEND CUDA_FLAGS -prec-div=false -prec-sqrt=false -ftz=true)
endif()
if(CORTEN_FLOAT STREQUAL "fast")  # no bits of a CPU to keep: solvers without directions by rows are a third smaller
  list(APPEND CUDA_FLAGS -DCT_ONLY_HESSIANS)
endif()
if(CORTEN_SINGLE)
  list(APPEND CUDA_FLAGS -DmjUSESINGLE)
endif()
# Code for each of them, and text for GPUs that are newer than the last.
set(CUDA_CODE "")
foreach(capability ${CORTEN_CUDA_FOR})
  list(APPEND CUDA_CODE -gencode=arch=compute_${capability},code=sm_${capability})
endforeach()
list(GET CORTEN_CUDA_FOR -1 newest)
list(APPEND CUDA_CODE -gencode=arch=compute_${newest},code=compute_${newest})

set(includes "")
set(LANE_SOURCES_IN_ORDER ${LANE_SOURCES})
list(SORT LANE_SOURCES_IN_ORDER)
foreach(source ${LANE_SOURCES_IN_ORDER})
  string(APPEND includes "#include \"${source}\"\n")
endforeach()
file(GENERATE OUTPUT ${out}/engine_sources.h CONTENT "${includes}")

# An object of the library.
function(cuda_object object source)
  add_custom_command(OUTPUT ${object}
    COMMAND ${NVCC} ${CUDA_FLAGS} ${CUDA_CODE} ${ARGN} -MD -MF ${object}.d ${source} -o ${object}
    DEPENDS ${source} corten_headers DEPFILE ${object}.d COMMENT "Compiling ${object} for the GPU")
  set(CUDA_OBJECTS ${CUDA_OBJECTS} ${object} PARENT_SCOPE)
endfunction()

# A kernel that is made for some models: name, part, lanes, threads, blocks, scratch, flags.
set(kernel_names "")
macro(cuda_kernel name part lanes threads blocks scratch)
  cuda_object(${out}/${name}.o ${folder}/part.cu -c -DCT_PART=CT_KERNEL_${part} -DCT_KERNEL_NAME=ct_kernel_${name}
    -DCT_LANE_COUNT=${lanes} -DCT_THREADS=${threads} -DCT_BLOCKS=${blocks} -DCT_SCRATCH=${scratch} ${ARGN})
  list(APPEND kernel_names ${name})
endmacro()

set(CUDA_OBJECTS "")
# Nothing sleeps, no delays, no flexes, Newton. The first that fits a model is taken (src/batch/cuda/plan.c): those for few dofs, those for at most 32
# with dense Jacobians, those for any. Islands of at most 32 dofs have a solver of their own. The second of each is for models that vary. Threads, blocks and scratch: docs/gpu.md.
set(most -DCT_ONLY_PRESENT -DCT_ONLY_AWAKE -DCT_ONLY_RIGID)
set(newton -DCT_ONLY_SOLVER=mjSOL_NEWTON)
set(tiny -DCT_ONLY_DENSE -DCT_SMALL=16)
set(small -DCT_ONLY_DENSE -DCT_SMALL=32)
set(round -DCT_ONLY_SHAPES=13)  # plane, sphere, capsule
set(cone_pyramids -DCT_ONLY_CONE=mjCONE_PYRAMIDAL)
set(cone_ellipses -DCT_ONLY_CONE=mjCONE_ELLIPTIC)
set(with_euler -DCT_ONLY_INTEGRATOR=mjINT_EULER)
set(with_rk4 -DCT_ONLY_INTEGRATOR=mjINT_RK4)
set(with_implicitfast -DCT_ONLY_INTEGRATOR=mjINT_IMPLICITFAST)
if(CORTEN_SINGLE)
  set(many 16)
  set(many_any 8)
  set(solver_block 256 2)
  set(tiny_block 256 2)
  set(collision_block 64 16)
  set(small_positions 9)
  set(rk4_many 8)
  set(row_scratch 3424)
  set(tiny_scratch 1968)
  set(any_scratch 8192)
else()
  set(many 8)
  set(many_any 4)
  set(solver_block 128 2)
  set(tiny_block 128 4)
  set(collision_block 64 10)
  set(small_positions 8)
  set(rk4_many 10)
  set(row_scratch 4096)
  set(tiny_scratch 4096)
  set(any_scratch 16384)
endif()
foreach(kind shared varied)
  set(flags ${most})
  if(kind STREQUAL "varied")
    list(APPEND flags -DCT_VARIED)
  endif()
  cuda_kernel(collision_round_${kind} COLLISION 16 ${collision_block} 2048 ${flags} ${round})
  cuda_kernel(positions_tiny_${kind} POSITIONS 16 64 8 512 ${flags} ${tiny})
  cuda_kernel(positions_${kind} POSITIONS 16 64 ${small_positions} 512 ${flags} ${small})
  cuda_kernel(forces_${kind} FORCES 16 64 ${many} 512 ${flags} ${small})
  cuda_kernel(positions_any_${kind} POSITIONS 16 64 8 1024 ${flags})
  cuda_kernel(forces_any_${kind} FORCES 32 128 ${many_any} 1024 ${flags})
  foreach(cone pyramids ellipses)
    cuda_kernel(rows_${cone}_${kind} ROWS 16 64 10 1024 ${flags} ${newton} ${small} ${cone_${cone}})
    cuda_kernel(rows_any_${cone}_${kind} ROWS 32 128 4 2048 ${flags} ${newton} ${cone_${cone}})
    cuda_kernel(solver_tiny_${cone}_${kind} SOLVER 16 ${tiny_block} ${tiny_scratch} ${flags} ${newton} ${tiny} ${cone_${cone}} -DCT_NEAR)
    cuda_kernel(solver_${cone}_${kind} SOLVER 32 ${solver_block} ${row_scratch} ${flags} ${newton} ${small} ${cone_${cone}} -DCT_NEAR)
    cuda_kernel(solver_islands_${cone}_${kind} SOLVER 32 ${solver_block} ${row_scratch} ${flags} ${newton} -DCT_ONLY_ISLANDS -DCT_SMALL=32
      ${cone_${cone}} -DCT_NEAR)
    cuda_kernel(solver_any_${cone}_${kind} SOLVER 32 32 16 ${any_scratch} ${flags} ${newton} ${cone_${cone}})
  endforeach()
  cuda_kernel(motion_euler_${kind} MOTION 16 64 16 512 ${flags} ${small} ${with_euler})
  cuda_kernel(motion_rk4_${kind} MOTION 16 64 ${rk4_many} 512 ${flags} ${small} ${with_rk4})
  foreach(integrator euler rk4 implicitfast)
    cuda_kernel(motion_any_${integrator}_${kind} MOTION 32 128 6 1024 ${flags} ${with_${integrator}})
  endforeach()
endforeach()

# Kernels that take every model.
set(general -DCT_LANE_COUNT=16 -DCT_THREADS=64 -DCT_BLOCKS=4 -DCT_SCRATCH=8192)
cuda_object(${out}/general.o ${folder}/part.cu -dc ${general})
cuda_object(${out}/slope_launch.o ${folder}/slope_launch.cu -dc ${general})
foreach(source ${LANE_SOURCES} ${SLOPE_SOURCES})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${source})
  string(REPLACE "/" "_" name ${name})
  cuda_object(${out}/${name}.o ${source} -dc ${general})
endforeach()
cuda_object(${out}/environments.o ${folder}/environments.cu -c)
cuda_object(${out}/order.o ${folder}/order.cu -c)

set(declarations "#include \"batch/cuda/parts.h\"\nextern const ct_PartKernel ct_general_kernels[];\n")
set(entries "")
foreach(name ${kernel_names})
  string(APPEND declarations "extern const ct_PartKernel ct_kernel_${name};\n")
  string(APPEND entries "    &ct_kernel_${name},\n")
endforeach()
foreach(i RANGE 7)
  string(APPEND entries "    ct_general_kernels + ${i},\n")
endforeach()
file(GENERATE OUTPUT ${out}/kernels.c CONTENT "${declarations}
const ct_PartKernel* const ct_part_kernels[] = {\n${entries}};
const int ct_npart_kernel = sizeof(ct_part_kernels) / sizeof(ct_part_kernels[0]);
_Static_assert(CT_NKERNEL_PART == 8, \"one general kernel for every part\");\n")

get_filename_component(nvcc_folder ${NVCC} DIRECTORY)
file(GLOB host_sources CONFIGURE_DEPENDS ${folder}/*.c)
add_library(corten_cuda_host OBJECT EXCLUDE_FROM_ALL ${host_sources} ${out}/kernels.c)
target_include_directories(corten_cuda_host SYSTEM PRIVATE ${nvcc_folder}/../include)
target_link_libraries(corten_cuda_host PRIVATE corten_flags)
add_dependencies(corten_cuda_host corten_headers)

# It has its own copy of what it needs of corten, and shows one function. nvcc leaves an empty function of the host for every one of the
# device's, so that units with all lane code define the same ones.
set(library ${CMAKE_BINARY_DIR}/lib/libcorten_cuda.so)
file(WRITE ${out}/exports "{ global: ct_cuda_backend; ct_cuda_float_gate; local: *; };\n")
add_custom_command(OUTPUT ${library}
  COMMAND ${NVCC} -shared ${CUDA_CODE} ${CUDA_OBJECTS} $<TARGET_OBJECTS:corten_cuda_host> $<TARGET_FILE:corten_static>
    -Xcompiler=-fno-lto -Xlinker=--version-script=${out}/exports
    -Xlinker=--allow-multiple-definition ${CORTEN_LINK} -o ${library}
  DEPENDS ${CUDA_OBJECTS} corten_cuda_host $<TARGET_OBJECTS:corten_cuda_host> corten_static
  COMMAND_EXPAND_LISTS
  COMMENT "Linking libcorten_cuda.so")
if(CORTEN_CUDA)
  add_custom_target(corten_cuda ALL DEPENDS ${library})
else()
  add_custom_target(corten_cuda DEPENDS ${library})
endif()
foreach(name cuda cuda_fast cuda_float)
  install(FILES ${CMAKE_BINARY_DIR}/lib/libcorten_${name}.so DESTINATION lib OPTIONAL)
endforeach()

# What `make test` compiles of it where there is nvcc: the kernels around a step, and a small part of one.
add_custom_target(cuda_sample DEPENDS ${out}/environments.o ${out}/order.o ${out}/motion_euler_shared.o corten_cuda_host)
