# With ccache a second build takes seconds, also in another clone: paths below the sources are relative.
find_program(ORRERY_CCACHE ccache)
if(ORRERY_CCACHE)
  foreach(language C CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${ORRERY_CCACHE})
  endforeach()
endif()
