// SPDX-License-Identifier: MIT
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "python/bindings.hpp"

namespace orrery::python {
namespace {

// Live as long as the interpreter, because exceptions thrown at its end still need them.
PyObject *usage = nullptr, *machine = nullptr;

PyObject* exception(py::module_& module, const char* name, const char* doc, const py::tuple& bases) {
    PyObject* const type =
        PyErr_NewExceptionWithDoc((std::string{"orrery."} + name).c_str(), doc, bases.ptr(), nullptr);
    if (!type) throw py::error_already_set{};
    module.attr(name) = py::reinterpret_borrow<py::object>(type);
    return type;
}

/// Replaces options of the command line in a text by keywords of Python: "--precision double" by "precision='double'".
/// Text between backquotes is a command and remains.
std::string in_python(const std::string& text) {
    static const std::regex chosen{R"(--(precision|backend|engine|integrator|map|root|law) ([a-z][a-z0-9-]*))"};
    static const std::regex option{R"(--([a-z]+)(-([a-z]+))?(-([a-z]+))?)"};
    std::string result;
    std::size_t begin = 0;
    for (bool command = false; begin <= text.size(); command = !command) {
        const std::size_t end = std::min(text.find('`', begin), text.size());
        std::string part = text.substr(begin, end - begin);
        if (!command) {
            part = std::regex_replace(part, chosen, "$1='$2'");
            std::smatch found;
            while (std::regex_search(part, found, option)) {
                std::string name = found.str().substr(2);
                std::ranges::replace(name, '-', '_');
                part = found.prefix().str() + name + found.suffix().str();
            }
        }
        result += part;
        if (end < text.size()) result += '`';
        begin = end + 1;
    }
    return result;
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
        PyErr_SetString(error.blame() == Blame::kUsage ? usage : machine, in_python(error.what()).c_str());
    }
}

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

void bind_errors(py::module_& module) {
    const auto of = [](PyObject* type) { return py::reinterpret_borrow<py::object>(type); };
    PyObject* const base = exception(module, "Error",
                                     "Base class of Orrery's errors. The text is one line with the object, what "
                                     "was expected and what was found.",
                                     py::make_tuple(of(PyExc_Exception)));
    usage =
        exception(module, "UsageError",
                  "The request is at fault: an id, a value, a shape, a missing or malformed file. Also a ValueError.",
                  py::make_tuple(of(base), of(PyExc_ValueError)));
    machine =
        exception(module, "MachineError",
                  "The machine is at fault: no device, no OpenGL, no memory, a disk that is full; or a state that is "
                  "no longer finite. Also a RuntimeError.",
                  py::make_tuple(of(base), of(PyExc_RuntimeError)));
    py::register_exception_translator(translate);
}

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

PYBIND11_MODULE(_core, module) {
    using namespace orrery::python;
    module.doc() = "The compiled part of orrery; import that.";
    orrery::use_tuning_files();
    bind_end(module);
    bind_errors(module);
    bind_menus(module);
    bind_scene(module);
    bind_device_array(module);
    bind_simulation(module);
    bind_pictures(module);
    bind_plots(module);
    bind_analyses(module);
    bind_fields(module);
    bind_halos(module);
    bind_selections(module);
    bind_films(module);
    bind_windows(module);
    module.attr("__version__") = std::string{orrery::version()};
    module.def(
        "built_with", [] { return std::string{orrery::built_with()}; },
        "The libraries the module was built with, line by line, as printed by `orrery --version`.");
}
