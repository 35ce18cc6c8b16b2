# SPDX-License-Identifier: MIT
# Installs two components: runtime, the program and its desktop files; development, the core library with its headers
# and its CMake package. All paths are relative, so that the installation can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The video library is private to the program and lies apart from libraries for others; not directly in lib/orrery, for
# which cpack would call ldconfig.
set(private_folder ${CMAKE_INSTALL_LIBDIR}/orrery/modules)
file(RELATIVE_PATH private_from_program /${CMAKE_INSTALL_BINDIR} /${private_folder})
set_target_properties(orrery PROPERTIES INSTALL_RPATH "\$ORIGIN/${private_from_program}")
install(TARGETS orrery RUNTIME COMPONENT runtime)
if(ORRERY_WITH_HDF5)
  install(TARGETS orrery_hdf5_reader RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/orrery COMPONENT runtime)
endif()
if(ORRERY_WITH_VDB)
  install(TARGETS orrery_vdb LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/orrery COMPONENT runtime
          PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
install(TARGETS orrery_kernel_trial RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/orrery COMPONENT runtime)
if(ORRERY_WITH_VIDEO)
  set_target_properties(orrery_video PROPERTIES INSTALL_RPATH "")
  install(TARGETS orrery_video LIBRARY DESTINATION ${private_folder} COMPONENT runtime)
endif()

# Manual pages and completions, from the options that the program describes. The OpenGL loader needs Python too.
set(manual ${PROJECT_BINARY_DIR}/manual)
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_FOUND AND NOT ORRERY_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(manual_script ${PROJECT_SOURCE_DIR}/app/manual/manual.py)
  add_custom_command(OUTPUT ${manual}/stamp DEPENDS orrery ${manual_script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
    COMMAND Python3::Interpreter ${manual_script} $<TARGET_FILE:orrery> ${manual} > ${PROJECT_BINARY_DIR}/manual.log
    COMMAND ${CMAKE_COMMAND} -E touch ${manual}/stamp)
  add_custom_target(orrery_manual ALL DEPENDS ${manual}/stamp)
  install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT runtime)
  install(FILES ${manual}/bash-completion/completions/orrery COMPONENT runtime
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/zsh/site-functions/_orrery COMPONENT runtime
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/fish/vendor_completions.d/orrery.fish COMPONENT runtime
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# The desktop: menu entry, types of files, icons, description.
set(desktop ${PROJECT_SOURCE_DIR}/packaging/desktop)
install(FILES ${desktop}/orrery.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT runtime)
install(FILES ${desktop}/orrery.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT runtime)
install(FILES ${desktop}/orrery.svg COMPONENT runtime
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${desktop}/org.orrery.orrery.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT runtime)

# Scenes are built into the program; these copies are for reading and editing.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/orrery COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/kernels ${PROJECT_SOURCE_DIR}/assets/lessons
        DESTINATION ${CMAKE_INSTALL_DATADIR}/orrery COMPONENT runtime)
# Writes pages from the files of `orrery lab --csv`.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/bench/paper_figures.py DESTINATION ${CMAKE_INSTALL_DATADIR}/orrery
        COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/bench/papers DESTINATION ${CMAKE_INSTALL_DATADIR}/orrery COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/docs/guide.md ${PROJECT_SOURCE_DIR}/docs/glossary.md
        ${PROJECT_SOURCE_DIR}/docs/clouds.md ${PROJECT_SOURCE_DIR}/docs/laboratory.md ${PROJECT_SOURCE_DIR}/docs/maps.md
        ${PROJECT_SOURCE_DIR}/docs/maps-library.md ${PROJECT_SOURCE_DIR}/docs/errata.md
        ${PROJECT_SOURCE_DIR}/docs/measuring.md ${PROJECT_SOURCE_DIR}/docs/python.md ${PROJECT_SOURCE_DIR}/docs/serve.md
        ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/guide DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime
        FILES_MATCHING PATTERN "*.md" PATTERN "menus.txt")
install(FILES ${PROJECT_SOURCE_DIR}/assets/fonts/LICENSE RENAME LICENSE.fonts DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT runtime)

# The core library for other programs: find_package(orrery), orrery::core.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
set(libraries orrery_core)
set_target_properties(orrery_core PROPERTIES EXPORT_NAME core)
if(TARGET orrery_lab_dynamic)
  list(APPEND libraries orrery_lab_dynamic)
  set_target_properties(orrery_lab_dynamic PROPERTIES EXPORT_NAME lab_dynamic)
endif()
install(TARGETS ${libraries} EXPORT orrery_targets ARCHIVE COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/orrery)
install(EXPORT orrery_targets NAMESPACE orrery:: FILE orrery-targets.cmake DESTINATION ${package_folder}
        COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery COMPONENT development
        FILES_MATCHING PATTERN "*.hpp" PATTERN kernel.h PATTERN cpu EXCLUDE PATTERN cuda EXCLUDE PATTERN bench EXCLUDE
        PATTERN "*hdf5*" EXCLUDE
        PATTERN host_frame_maker.hpp EXCLUDE PATTERN frame_maker.hpp EXCLUDE PATTERN locks_choice.hpp EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/maps-library/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/maps-library
        COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/core/kernels/kernel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery/orrery
        COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/library/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/library
        COMPONENT development)
set(hdf5_reader ${CMAKE_INSTALL_LIBEXECDIR}/orrery/orrery-hdf5-reader)
configure_package_config_file(${PROJECT_SOURCE_DIR}/packaging/orrery-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/orrery-config.cmake INSTALL_DESTINATION ${package_folder} PATH_VARS hdf5_reader)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/orrery-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/orrery-config.cmake
        ${PROJECT_BINARY_DIR}/package/orrery-config-version.cmake
        ${PROJECT_SOURCE_DIR}/packaging/installed_reader.cpp.in DESTINATION ${package_folder} COMPONENT development)
