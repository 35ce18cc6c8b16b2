# Finds NCCL's header and the location of its library, which is loaded at run time when ranks need it. Sets
# ORRERY_WITH_NCCL, and ORRERY_NCCL_WHY for the summary.
set(ORRERY_WITH_NCCL OFF)
if(NOT ORRERY_WITH_CUDA OR NOT ORRERY_WITH_MPI)
  set(ORRERY_NCCL_WHY "no, it needs CUDA and MPI")
  return()
endif()
find_path(ORRERY_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(ORRERY_NCCL_LIBRARY NAMES libnccl.so.2 nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}
             PATH_SUFFIXES lib lib64)
if(ORRERY_NCCL_INCLUDE AND ORRERY_NCCL_LIBRARY)
  set(ORRERY_WITH_NCCL ON)
  set(ORRERY_NCCL_WHY "yes (${ORRERY_NCCL_LIBRARY})")
else()
  set(ORRERY_NCCL_WHY "no, it was not found")
endif()
