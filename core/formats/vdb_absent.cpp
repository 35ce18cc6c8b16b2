// SPDX-License-Identifier: MIT
#include "core/base/error.hpp"
#include "core/formats/vdb_grids.hpp"

namespace orrery {

const std::string_view kWhyNoVdb =
    "this build has no OpenVDB: libopenvdb-dev and libboost-dev were not both found at configuration";

std::unique_ptr<VdbGrids> make_vdb_grids(const VdbPlan&, const std::filesystem::path& path) {
    environment_error(path.string() + ": " + std::string{kWhyNoVdb});
}

}  // namespace orrery
