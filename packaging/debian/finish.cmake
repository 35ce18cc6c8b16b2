# SPDX-License-Identifier: MIT
# Run by cpack between installing and packing. Applies what only Debian packages require: compressed pages and
# changelogs, the copyright file, zsh's completion in the folder for packages, a static library without debug sections.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(debian_version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# The date of this version in CHANGELOG.md, in the format of Debian changelogs.
file(READ ${CPACK_ORRERY_SOURCE}/CHANGELOG.md changes)
string(REPLACE "." "\\." pattern "${CPACK_PACKAGE_VERSION}")
if(NOT changes MATCHES "\n## ${pattern} \\(([0-9-]+)\\)")
  message(FATAL_ERROR "CHANGELOG.md has no heading '## ${CPACK_PACKAGE_VERSION} (DATE)'")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date --utc --rfc-email --date ${CMAKE_MATCH_1}
                OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(parts "runtime orrery" "development liborrery-dev")
if(EXISTS ${CPACK_TEMPORARY_DIRECTORY}/python)
  list(APPEND parts "python python3-orrery")
endif()
foreach(part IN LISTS parts)
  separate_arguments(part)
  list(POP_FRONT part component package)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(documents ${root}/share/doc/${package})
  file(MAKE_DIRECTORY ${documents})
  file(REMOVE ${documents}/LICENSE ${documents}/LICENSE.fonts) # both are included in the copyright file
  file(COPY_FILE ${CPACK_ORRERY_SOURCE}/packaging/debian/copyright ${documents}/copyright)
  file(COPY_FILE ${CPACK_ORRERY_SOURCE}/CHANGELOG.md ${documents}/changelog)
  file(WRITE ${documents}/changelog.Debian
    "orrery (${debian_version}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
  file(GLOB_RECURSE pages ${root}/share/man/*.1)
  file(CHMOD ${documents}/copyright ${documents}/changelog ${documents}/changelog.Debian
       PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  run(gzip -9 --no-name ${pages} ${documents}/changelog ${documents}/changelog.Debian)
  if(EXISTS ${root}/share/zsh)
    file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
  endif()
  file(GLOB_RECURSE libraries ${root}/lib/*.a)
  if(libraries)
    run(strip --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${libraries})
  endif()
  file(GLOB programs ${root}/bin/* ${root}/libexec/orrery/* ${root}/lib/orrery/modules/*
       ${root}/lib/python3/dist-packages/orrery/*.so)
  if(programs)
    run(strip --strip-unneeded --remove-section=.comment --remove-section=.note ${programs})
  endif()
endforeach()
