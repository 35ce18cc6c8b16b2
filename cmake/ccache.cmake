# SPDX-License-Identifier: MIT
# With ccache a second build in the same folder takes seconds. In a clone elsewhere only separate sources are found, whose
# paths are relative: batches name their sources by absolute paths. The sloppiness is what precompiled headers need; no
# source contains the time or the date. Depend mode hashes the headers themselves: a hash of preprocessed text misses a
# changed comment, and GCC then takes the header beside the precompiled one for another file. The namespace leaves out
# entries that were stored in the other mode.
find_program(ORRERY_CCACHE ccache)
if(ORRERY_CCACHE)
  foreach(language C CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
        CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=true CCACHE_NAMESPACE=orrery ${ORRERY_CCACHE})
  endforeach()
endif()
