// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fmt/format.h>

#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/formats/vdb_grids.hpp"

namespace orrery {

const std::string_view kWhyNoVdb;

std::unique_ptr<VdbGrids> make_vdb_grids(const VdbPlan& plan, const std::filesystem::path& path) {
    static const auto make = [&path] {  // remains loaded until the program ends, because TBB has threads
        const std::filesystem::path library = companion_program(ORRERY_VDB_MODULE, "which writes OpenVDB files");
        void* const shared = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        void* const found = shared ? dlsym(shared, kMakeVdbGrids) : nullptr;
        if (!found) environment_error(fmt::format("{}: {}", path.string(), dlerror()));
        return reinterpret_cast<MakeVdbGrids>(found);
    }();
    return std::unique_ptr<VdbGrids>{make(plan)};
}

}  // namespace orrery
