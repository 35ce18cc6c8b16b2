// SPDX-License-Identifier: MIT
// The Python module, by topic. Docstrings of the public interface are here, types in orrery/_core.pyi; a test compares
// the two.
#pragma once
#include <pybind11/pybind11.h>

namespace orrery::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_menus(py::module_& module);
void bind_scene(py::module_& module);
void bind_device_array(py::module_& module);
void bind_simulation(py::module_& module);
void bind_pictures(py::module_& module);
void bind_plots(py::module_& module);
void bind_analyses(py::module_& module);
void bind_films(py::module_& module);
void bind_windows(py::module_& module);

}  // namespace orrery::python
