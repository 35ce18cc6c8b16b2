# SPDX-License-Identifier: MIT
# orrery_suites(TARGET NAME FILTER [PROPERTY VALUE]...): registers the suites of a GoogleTest program whose tests match
# FILTER with ctest, one process per suite. gtest_discover_tests() starts one process per case, which for parameterized
# cases takes longer than the cases. NAME names the list; FILTER is *, -PATTERN (all but these) or *PATTERN*. A suite
# counts as skipped if all of its cases are skipped.
function(orrery_suites target name filter)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${name}.cmake)
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${list} VERBATIM
    COMMAND ${CMAKE_COMMAND} "-Dprogram=$<TARGET_FILE:${target}>" "-Dfilter=${filter}" "-Dproperties=${ARGN}"
            "-Dlist=${list}" -P ${PROJECT_SOURCE_DIR}/cmake/suites_script.cmake)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake
       "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake)
endfunction()
