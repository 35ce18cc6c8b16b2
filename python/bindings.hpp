// SPDX-License-Identifier: MIT
// The Python module, by topic, and what all of it needs: the global interpreter lock (GIL), and threads when processes
// fork or end. Docstrings of the public interface are in C++, types in orrery/_core.pyi; a test compares the two.
#pragma once
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery::python {

namespace py = pybind11;

void bind_end(py::module_& module);
void bind_errors(py::module_& module);
void bind_menus(py::module_& module);
void bind_scene(py::module_& module);
void bind_device_array(py::module_& module);
void bind_simulation(py::module_& module);
void bind_pictures(py::module_& module);
void bind_plots(py::module_& module);
void bind_analyses(py::module_& module);
void bind_fields(py::module_& module);
void bind_halos(py::module_& module);
void bind_selections(py::module_& module);
void bind_films(py::module_& module);
void bind_windows(py::module_& module);

/// The values of a field by its name, float32 of shape (N,), a copy. Raises KeyError.
py::object field_of(const std::vector<BodyField>& fields, const std::string& name);

/// Releases the GIL while alive. Used instead of py::gil_scoped_release, because Python, when it ends, kills threads
/// that acquire the GIL, in the middle of C++. Python's end therefore waits for these threads; afterwards the
/// constructor throws MachineError.
class Unlocked {
public:
    Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked();

private:
    PyThreadState* state_;
};

/// True if Python is about to end and waits for calls in progress.
bool python_ends();
/// Registers a function to call when Python ends, after all Unlocked threads have returned.
void at_end(void (*last)());

/// Records that this process has threads that a fork does not copy.
void mark_threads();
bool forked_from_threads();
/// Throws MachineError in a child forked after mark_threads(): the thread pool, OpenGL and CUDA would wait for threads
/// that do not exist.
void require_own_threads();

}  // namespace orrery::python
