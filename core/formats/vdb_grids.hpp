// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/voxels.hpp"

namespace orrery {

/// The grids of an OpenVDB file.
struct VdbPlan {
    struct Field {
        std::string name, unit;
    };
    double voxel = 1, time = 0;  ///< in the scene's units
    std::string length_unit, mass_unit;
    std::vector<Field> fields;  ///< names differ from each other and from `density` and `velocity`
};

/// Grids in memory. The implementation is a shared library, orrery-vdb.so, which uses nothing of this program: linked
/// with it, OpenVDB's libraries would take 28 ms of each start.
class VdbGrids {
public:
    virtual ~VdbGrids() = default;
    /// Returns an error message; empty: none.
    virtual std::string take(const VoxelBrick& brick) = 0;
    virtual std::string write(const std::filesystem::path& path) = 0;
};

/// The function that the shared library exports, with C linkage.
using MakeVdbGrids = VdbGrids* (*)(const VdbPlan&);
inline constexpr const char* kMakeVdbGrids = "orrery_make_vdb_grids";

/// Why this build has no OpenVDB; empty if it has.
extern const std::string_view kWhyNoVdb;
/// Throws Error{kEnvironment} naming `path` if the library is missing.
std::unique_ptr<VdbGrids> make_vdb_grids(const VdbPlan& plan, const std::filesystem::path& path);

}  // namespace orrery
