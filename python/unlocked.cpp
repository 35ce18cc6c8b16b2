// SPDX-License-Identifier: MIT
#include "python/unlocked.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/base/error.hpp"

namespace orrery::python {
namespace {

std::atomic<bool> has_threads{false}, forked{false}, ends{false};
std::atomic<int> away{0};
std::vector<void (*)()> last_calls;

void end() {
    ends = true;
    {
        const py::gil_scoped_release unlocked;
        while (away > 0 && !forked) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    for (auto* const call : last_calls) call();
}

}  // namespace

Unlocked::Unlocked() {
    if (ends) environment_error("Python is ending");
    ++away;
    state_ = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
    PyEval_RestoreThread(state_);
    --away;
}

bool python_ends() { return ends; }
void at_end(void (*last)()) { last_calls.push_back(last); }

void mark_threads() {
    static const bool once = [] {
        ::pthread_atfork(nullptr, nullptr, [] { forked = has_threads.load(); });
        return true;
    }();
    has_threads = once;
}

bool forked_from_threads() { return forked; }

void require_own_threads() {
    if (forked)
        environment_error(
            "this process was forked from one in which Orrery had threads, which forks do not copy; start processes "
            "with multiprocessing.get_context('spawn')");
}

void bind_end(py::module_&) { py::module_::import("atexit").attr("register")(py::cpp_function{end}); }

}  // namespace orrery::python
