# SPDX-License-Identifier: MIT
# CPack: Debian packages orrery, liborrery-dev and python3-orrery: `cpack --config build/PRESET/CPackConfig.cmake`.
# packaging/archive.sh makes the archive, and packaging/release.sh builds, makes and checks all of them.
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR "The Orrery authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "gravitational N-body program with a live view")
set(ORRERY_HOMEPAGE "" CACHE STRING "Address of the project's page, for the packages")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${ORRERY_HOMEPAGE})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime development)
if(ORRERY_WITH_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/finish.cmake)
set(CPACK_ORRERY_SOURCE ${PROJECT_SOURCE_DIR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(ORRERY_MAINTAINER "The Orrery authors <orrery@localhost>" CACHE STRING "Maintainer of the packages, with an address")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${ORRERY_MAINTAINER})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME orrery)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, so that no tool detects them.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libegl1, libgl1")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "openmpi-bin")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"Computes the motion of bodies under their gravity and shows it live.
Forces come from one of several engines: all pairs, half of the pairs through
a thread map, a Barnes-Hut tree, or a fast multipole method. Engine, map and
precision can be switched while the simulation runs; time, error of the forces
and energy are shown beside the picture.
.
It also records videos, runs without drawing, reads and writes snapshots of
TIPSY, Gadget, NEMO, HDF5 and CSV, and benchmarks and checks its engines.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liborrery-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(development_depends libfmt-dev libtbb-dev libhwy-dev pkg-config)
if(ORRERY_WITH_HDF5)
  set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime) # has the program that reads HDF5 files
  list(APPEND development_depends libhdf5-dev)
endif()
if(ORRERY_WITH_MPI)
  list(APPEND development_depends libopenmpi-dev)
endif()
list(JOIN development_depends ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"The engines, integrators, formats and presets of Orrery as a static library,
with C++20 headers and a CMake package: find_package(orrery), target
orrery::core.")

if(ORRERY_WITH_PYTHON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-orrery)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The module fits one version of Python, and opens windows with the program of the same version.
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy, libegl1, libgl1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/python/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/python/prerm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_COMPONENT_PYTHON_DEPENDS runtime)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"Orrery as a module of Python 3: scenes from presets, files and NumPy arrays,
all engines with their settings, bodies as NumPy views without a copy (and
through DLPack on a GPU), energies, pictures, pickles, callbacks, a window in
a notebook, and bodies from REBOUND and back.")
endif()
include(CPack)

# The targets that go into packages, without the tests.
add_custom_target(orrery_packed DEPENDS orrery)
foreach(part orrery_manual orrery_python_package)
  if(TARGET ${part})
    add_dependencies(orrery_packed ${part})
  endif()
endforeach()
