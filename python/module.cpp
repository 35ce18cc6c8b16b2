// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <filesystem>

#include "core/base/child_process.hpp"
#include "core/base/version.hpp"
#include "python/bindings.hpp"
#include "python/unlocked.hpp"

namespace orrery::python {
namespace {

/// The HDF5 reader is next to the module, because the running program is Python.
void find_reader() {
    Dl_info here{};
    if (::dladdr(reinterpret_cast<const void*>(&find_reader), &here) == 0) return;
    start_children_as(std::filesystem::absolute(here.dli_fname).parent_path() / "orrery-hdf5-reader");
}

}  // namespace
}  // namespace orrery::python

PYBIND11_MODULE(_core, module) {
    using namespace orrery::python;
    module.doc() = "The compiled part of orrery; import that.";
    find_reader();
    bind_end(module);
    bind_errors(module);
    bind_menus(module);
    bind_scene(module);
    bind_device_array(module);
    bind_simulation(module);
    bind_pictures(module);
    bind_plots(module);
    bind_analyses(module);
    bind_films(module);
    bind_windows(module);
    module.attr("__version__") = std::string{orrery::version()};
    module.def(
        "built_with", [] { return std::string{orrery::built_with()}; },
        "The libraries the module was built with, line by line, as printed by `orrery --version`.");
}
