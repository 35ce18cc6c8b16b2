// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <regex>
#include <string>

#include "core/base/error.hpp"
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

}  // namespace orrery::python
