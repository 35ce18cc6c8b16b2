# SPDX-License-Identifier: MIT
# With ccache a second build takes seconds, also in another clone: paths below the sources are relative. The sloppiness is
# what precompiled headers need; no source contains the time or the date.
find_program(ORRERY_CCACHE ccache)
if(ORRERY_CCACHE)
  foreach(language C CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
        CCACHE_SLOPPINESS=pch_defines,time_macros ${ORRERY_CCACHE})
  endforeach()
endif()
