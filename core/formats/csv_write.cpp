// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "core/base/error.hpp"
#include "core/base/output_file.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_text.hpp"

namespace orrery {
namespace {

constexpr std::size_t kBlock = 1 << 20;  ///< bytes gathered before they are written

void check(const Scene& scene, const std::string& path) {
    validate(scene.bodies, path);
    const auto& names = scene.bodies.names;
    if (!names.empty() && names.size() != scene.bodies.size())
        usage_error(fmt::format("{}: {} bodies but {} names", path, scene.bodies.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].find_first_of("\r\n") != std::string::npos)
            usage_error(fmt::format("{}: body {}: a name with a line break does not fit a line", path, i));
}

}  // namespace

void write_csv(const Scene& scene, const std::filesystem::path& path) {
    check(scene, path.string());
    const char separator = path.extension() == ".tsv" ? '\t' : ',';
    const bool named = !scene.bodies.names.empty();
    // fmt writes the shortest digits, up to 17, that are read back to the same bits
    std::string text =
        fmt::format("# orrery: bodies={} G={} softening={} dt={} time={} days_per_time={} steps_per_frame={}\n",
                    scene.bodies.size(), scene.gravity.constant, scene.gravity.softening, scene.dt, scene.time,
                    scene.days_per_time, scene.steps_per_frame);
    text += named ? "name" : "m";
    for (const char* title : {"m", "x", "y", "z", "vx", "vy", "vz"})
        if (named || title[0] != 'm') text += fmt::format("{}{}", separator, title);
    text += '\n';
    OutputFile file{path};
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec4d& p = scene.bodies.position_mass[i];
        const Vec3d& v = scene.bodies.velocity[i];
        if (named) text += csv_text::quoted(scene.bodies.names[i]) + separator;
        fmt::format_to(std::back_inserter(text), "{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}\n", separator, p.w, p.x, p.y,
                       p.z, v.x, v.y, v.z);
        if (text.size() < kBlock) continue;
        file.write(text);
        text.clear();
    }
    file.write(text);
    file.commit();
}

}  // namespace orrery
