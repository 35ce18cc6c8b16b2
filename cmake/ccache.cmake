# A second build costs seconds where ccache is there.
find_program(ORRERY_CCACHE ccache)
if(ORRERY_CCACHE)
  foreach(language C CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${ORRERY_CCACHE})
  endforeach()
endif()
