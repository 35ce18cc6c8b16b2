# SPDX-License-Identifier: MIT
# Reading headers takes most of the compile time of a batch, and most batches of a target read the same ones. They are
# therefore compiled once per target, with the options of the target. A change of one of these headers compiles the whole
# target. g++ gives no warnings of precompiled headers.
# Sources include what they use all the same: the presets `dev`, `asan` and `tsan` compile without.
include(CMakeDependentOption)
cmake_dependent_option(ORRERY_PCH "Precompile headers that most batches include; g++, not with sanitizers"
                       ON "ORRERY_BATCHES;NOT ORRERY_SANITIZE;CMAKE_CXX_COMPILER_ID STREQUAL GNU" OFF)

# orrery_precompile(TARGET HEADERS...): headers as in angle brackets, in the order of inclusion.
function(orrery_precompile target)
  if(NOT ORRERY_PCH)
    return()
  endif()
  foreach(header IN LISTS ARGN)
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
  endforeach()
endfunction()

# orrery_test_headers(LIBRARY LINKED HEADERS...): headers of several programs, compiled as in programs that link LINKED.
function(orrery_test_headers library linked)
  file(CONFIGURE OUTPUT ${library}.cpp CONTENT "" @ONLY)
  add_library(${library} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp)
  target_compile_options(${library} PRIVATE -fPIE)
  target_link_libraries(${library} PRIVATE ${linked} GTest::gmock)
  orrery_precompile(${library} ${ARGN})
endfunction()

# orrery_precompiled_by(LIBRARY TARGETS...): programs of the same optimisation that use the headers of the library.
function(orrery_precompiled_by library)
  if(ORRERY_PCH)
    foreach(target IN LISTS ARGN)
      target_precompile_headers(${target} REUSE_FROM ${library})
    endforeach()
  endif()
endfunction()
