// SPDX-License-Identifier: MIT
// OpenVDB: sparse grids of density for Blender and Houdini.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/formats/film_formats.hpp"
#include "core/formats/vdb_grids.hpp"

namespace orrery {
namespace vdb_files {
namespace {

std::vector<VdbPlan::Field> named_fields(const std::vector<BodyField>& fields) {
    std::vector<std::string> taken{"density", "velocity"};
    std::vector<VdbPlan::Field> named;
    for (const BodyField& field : fields) {
        std::string name = field.name;
        while (std::ranges::find(taken, name) != taken.end()) name += '_';
        taken.push_back(name);
        named.push_back({std::move(name), field.unit});
    }
    return named;
}

void copy_out(const std::filesystem::path& from, const std::filesystem::path& to) {
    OutputFile file{to, Durable::kYes};
    std::ifstream read{from, std::ios::binary};
    std::vector<char> part(std::size_t{1} << 20);
    while (read.read(part.data(), static_cast<std::streamsize>(part.size())) || read.gcount() > 0)
        file.write(std::string_view{part.data(), static_cast<std::size_t>(read.gcount())});
    file.commit();
}

bool recognises(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    constexpr std::array kMagic{std::byte{0x20}, std::byte{0x42}, std::byte{0x44}, std::byte{0x56}};
    return head.size() >= kMagic.size() && std::ranges::equal(head.first(kMagic.size()), kMagic);
}

Scene read(const std::filesystem::path& path) {
    usage_error(path.string() + ": OpenVDB files are written, not read: they hold no bodies");
}

void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    with_scene(scene, bodies, [&](const Scene& whole) { write_vdb(whole, path, 0); });
}

constexpr std::array<std::string_view, 1> kExtensions{".vdb"};

}  // namespace
}  // namespace vdb_files

void write_vdb(const Scene& scene, const std::filesystem::path& path, double voxel) {
    using namespace vdb_files;
    validate(scene.bodies, path.string());
    const VdbPlan plan{.voxel = voxel > 0 ? voxel : suggested_voxel(scene.bodies),
                       .time = scene.time,
                       .length_unit = scene.length_unit,
                       .mass_unit = scene.mass_unit,
                       .fields = named_fields(scene.bodies.fields)};
    const std::unique_ptr<VdbGrids> grids = make_vdb_grids(plan, path);
    const auto require = [&](const std::string& message) {
        if (!message.empty()) environment_error(fmt::format("{}: OpenVDB: {}", path.string(), message));
    };
    Pool pool{0, false};
    for_each_brick(pool, scene.bodies, plan.voxel, [&](const VoxelBrick& brick) { require(grids->take(brick)); });
    const TemporaryFolder folder;
    const std::filesystem::path made = folder.path() / "grids.vdb";
    require(grids->write(made));
    copy_out(made, path);
}

const FormatEntry& vdb() {
    using namespace vdb_files;
    static const FormatEntry entry{"openvdb",
                                   "OpenVDB",
                                   "grids of density, velocity and fields, for Blender and Houdini; written only",
                                   kExtensions,
                                   {.fields = true},
                                   recognises,
                                   read,
                                   write,
                                   kWhyNoVdb};
    return entry;
}

}  // namespace orrery
