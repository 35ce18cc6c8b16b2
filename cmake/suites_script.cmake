# SPDX-License-Identifier: MIT
# Writes `list`, a file of add_test() commands; see suites.cmake.
execute_process(COMMAND ${program} --gtest_list_tests --gtest_filter=${filter}
                OUTPUT_VARIABLE told COMMAND_ERROR_IS_FATAL ANY TIMEOUT 60)
string(REGEX MATCHALL "(^|\n)[A-Za-z_][^ \n]*\\." suites "${told}")
set(commands "")
set(only "")
if(filter MATCHES "^\\*(.+)\\*$")
  set(only "${CMAKE_MATCH_1}")
endif()
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)  # with its point
  string(REGEX REPLACE "\\.$" "" label "${suite}")
  if(filter MATCHES "^-(.*)$")
    set(cases "${suite}*-${CMAKE_MATCH_1}")
  elseif(only AND NOT suite MATCHES "${only}")
    set(cases "${suite}*${only}*")
    string(APPEND label "_${only}")
  else()
    set(cases "${suite}*")
  endif()
  string(APPEND commands "add_test([[${label}]] [[${program}]] [[--gtest_filter=${cases}]])\n"
         "set_tests_properties([[${label}]] PROPERTIES SKIP_REGULAR_EXPRESSION [[PASSED  \\] 0 tests\\.\n(.  SKIPPED[^\n]*\n*)+$]]")
  foreach(word IN LISTS properties)
    string(APPEND commands " [[${word}]]")
  endforeach()
  string(APPEND commands ")\n")
endforeach()
file(WRITE ${list} "${commands}")
