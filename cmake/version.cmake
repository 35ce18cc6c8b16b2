# The commit is read at every build, not at configure time, so that CSV rows never name an outdated one.
set(version_file ${CMAKE_BINARY_DIR}/generated/version.cpp)
add_custom_target(orrery_commit ALL BYPRODUCTS ${version_file}
  COMMAND ${CMAKE_COMMAND} -DOUT=${version_file} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DBUILT_WITH=${ORRERY_BUILT_WITH}"
          -P ${PROJECT_SOURCE_DIR}/cmake/version_script.cmake VERBATIM)
