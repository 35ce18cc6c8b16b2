# SPDX-License-Identifier: MIT
# Reading headers takes most of the compile time of a batch, and most batches of a target read the same ones. They are
# therefore compiled once per target, with the options of the target. ccache does not reuse units with a precompiled
# header, and a change of one of these headers compiles the whole target. g++ gives no warnings of precompiled headers.
# Sources include what they use all the same: the presets `dev`, `asan` and `tsan` compile without.
include(CMakeDependentOption)
cmake_dependent_option(ORRERY_PCH "Precompile headers that most batches include; not with ccache or sanitizers"
                       ON "ORRERY_BATCHES;NOT ORRERY_CCACHE;NOT ORRERY_SANITIZE" OFF)

# orrery_precompile(TARGET HEADERS...): headers as in angle brackets, in the order of inclusion.
function(orrery_precompile target)
  if(NOT ORRERY_PCH)
    return()
  endif()
  foreach(header IN LISTS ARGN)
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
  endforeach()
endfunction()
