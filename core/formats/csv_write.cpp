// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/limits.hpp"
#include "core/physics/pair_laws.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kRowBytes = 140;  ///< about

void check(const Scene& scene, const std::string& path) {
    validate(scene.bodies, path);
    const auto& names = scene.bodies.names;
    if (!names.empty() && names.size() != scene.bodies.size())
        usage_error(fmt::format("{}: {} bodies but {} names", path, scene.bodies.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].find_first_of("\r\n") != std::string::npos)
            usage_error(fmt::format("{}: body {}: a name with a line break cannot be written", path, i));
}

}  // namespace

void write_csv(const Scene& scene, const std::filesystem::path& path) {
    check(scene, path.string());
    const char separator = path.extension() == ".tsv" ? '\t' : ',';
    const bool named = !scene.bodies.names.empty();
    // fmt writes the fewest digits, at most 17, that are read back to the same bits
    std::string text =
        fmt::format("# orrery: bodies={} G={} softening={} dt={} time={} days_per_time={} steps_per_frame={}\n",
                    scene.bodies.size(), scene.gravity.constant, scene.gravity.softening, scene.dt, scene.time,
                    scene.days_per_time, scene.steps_per_frame);
    text.pop_back();
    if (const Gravity& gravity = scene.gravity; gravity.law != PairLaw::kGravity)
        text += fmt::format(" law={} sigma={} cut_off={}", pair_law(gravity.law).id, gravity.sigma, gravity.cut_off);
    if (scene.scale_factor > 0) text += fmt::format(" scale_factor={}", scene.scale_factor);
    for (const auto& [key, unit] : {std::pair{"length_unit", scene.length_unit}, {"mass_unit", scene.mass_unit}})
        if (!unit.empty() && unit.find_first_of(" \t\r\n") == std::string::npos)
            text += fmt::format(" {}={}", key, unit);
    text += '\n';
    const bool with_ids = !scene.bodies.ids.empty(), with_species = !scene.bodies.species.empty();
    if (named) text += std::string{"name"} + separator;
    if (with_ids) text += std::string{"id"} + separator;
    if (with_species) text += std::string{"species"} + separator;
    const bool charged = !scene.bodies.charge.empty();
    if (charged) text += std::string{"charge"} + separator;
    text += 'm';
    for (const char* title : {"x", "y", "z", "vx", "vy", "vz"}) text += fmt::format("{}{}", separator, title);
    text += '\n';
    OutputFile file{path, Durable::kYes};
    FileProgress progress{"writing", scene.bodies.size(), kRowBytes};
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec4d& p = scene.bodies.position_mass[i];
        const Vec3d& v = scene.bodies.velocity[i];
        if (named) text += csv_text::quoted(scene.bodies.names[i]) + separator;
        if (with_ids) text += fmt::format("{}{}", scene.bodies.ids[i], separator);
        if (with_species) text += fmt::format("{}{}", name(scene.bodies.species[i]), separator);
        if (charged) text += fmt::format("{}{}", scene.bodies.charge[i], separator);
        fmt::format_to(std::back_inserter(text), "{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}\n", separator, p.w, p.x, p.y,
                       p.z, v.x, v.y, v.z);
        if (text.size() < kBlock) continue;
        file.write(text);
        text.clear();
        progress.reach(i);
    }
    file.write(text);
    file.commit();
}

}  // namespace orrery
