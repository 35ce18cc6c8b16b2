// SPDX-License-Identifier: MIT
// Python's lock, and what becomes of threads where processes fork or end.
#pragma once
#include "python/bindings.hpp"

namespace orrery::python {

/// Other threads of Python run as long as this lives. In place of py::gil_scoped_release, because Python, when it ends,
/// kills a thread that asks for the lock, in the middle of C++: so its end waits for these threads, and afterwards
/// nobody gives the lock away. Throws MachineError then.
class Unlocked {
public:
    Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked();

private:
    PyThreadState* state_;
};

/// Python is about to end, and waits for what is under way.
bool python_ends();
/// Calls this when Python ends, after all Unlocked threads have come back.
void at_end(void (*last)());

/// From now on, this process has threads that a fork does not copy.
void mark_threads();
bool forked_from_threads();
/// Throws MachineError in the child of a fork that came after mark_threads(): the pool of threads, OpenGL and CUDA
/// would wait for what is not there.
void require_own_threads();

void bind_end(py::module_& module);

}  // namespace orrery::python
