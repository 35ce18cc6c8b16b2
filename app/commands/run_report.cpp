// SPDX-License-Identifier: MIT
#include "app/commands/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/cli/table.hpp"
#include "core/base/error.hpp"
#include "core/maps/choices.hpp"

namespace orrery {
namespace {

double length(Vec3d v) { return std::sqrt(dot(v, v)); }

double pairs_per_second(const RunReport& report, Simulation& simulation) {
    const double count = static_cast<double>(simulation.system().count());
    return report.force_median() > 0 ? count * count / report.force_median() : 0;
}

}  // namespace

DiagnosticsTable::DiagnosticsTable(std::string path) : path_{std::move(path)}, file_{std::fopen(path_.c_str(), "w")} {
    if (!file_) environment_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
    write(
        "step,time,kinetic,potential,total,momentum_x,momentum_y,momentum_z,angular_x,angular_y,angular_z,"
        "virial_ratio\n");
}

void DiagnosticsTable::add(std::uint64_t step, double time, const Diagnostics& d) {
    const Vec3d p = d.momentum, l = d.angular_momentum;
    write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", step, time, d.kinetic, d.potential, d.total(), p.x, p.y,
                      p.z, l.x, l.y, l.z, d.virial_ratio()));
}

void DiagnosticsTable::write(const std::string& line) {
    if (std::fputs(line.c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0)
        environment_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

double RunReport::force_median() const {
    if (force_seconds.empty()) return 0;
    std::vector<double> sorted = force_seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
}

double RunReport::energy_drift() const {
    const double start = first->total();
    return start != 0 ? std::abs(last->total() - start) / std::abs(start) : std::abs(last->total());
}

double RunReport::momentum_drift() const {
    const double lost = length(last->momentum - first->momentum);
    return last->momentum_scale > 0 ? lost / last->momentum_scale : lost;
}

std::string text_of(const RunReport& report, Simulation& simulation) {
    const EngineConfig& engine = simulation.engine_config();
    const std::string choice = simulation.system().engine_choice();
    std::string text = fmt::format("{}: {} bodies, {} steps of {:g}, now at t = {:g}\n", simulation.scene().id,
                                   simulation.system().count(), report.steps, simulation.dt(), simulation.time());
    text += fmt::format("engine    {} on {}, {} precision{}\n", engine.engine, name(engine.backend),
                        name(engine.precision), choice.empty() ? "" : " (" + choice + ")");
    if (report.steps > 0)
        text += fmt::format("speed     {} steps/s, force {:.3g} ms (median), {} pairs/s\n",
                            with_prefix(report.steps_per_second()), 1e3 * report.force_median(),
                            with_prefix(pairs_per_second(report, simulation)));
    if (report.first && report.last) {
        text += fmt::format("energy    |ΔE/E| = {:.2e} (E = {:.9g}, at first {:.9g})\n", report.energy_drift(),
                            report.last->total(), report.first->total());
        text += fmt::format("momentum  |ΔP| / Σ m|v| = {:.2e}\n", report.momentum_drift());
    }
    return text;
}

std::string json_of(const RunReport& report, Simulation& simulation) {
    const EngineConfig& engine = simulation.engine_config();
    nlohmann::ordered_json json{{"scene", simulation.scene().id},
                                {"engine", engine.engine},
                                {"backend", name(engine.backend)},
                                {"map", map_in_force(engine)},
                                {"root", root_in_force(engine)},
                                {"precision", name(engine.precision)},
                                {"bodies", simulation.system().count()},
                                {"steps", report.steps},
                                {"dt", simulation.dt()},
                                {"time", simulation.time()},
                                {"steps_per_second", report.steps_per_second()},
                                {"force_ms", 1e3 * report.force_median()},
                                {"pairs_per_second", pairs_per_second(report, simulation)},
                                {"energy", nullptr},
                                {"energy_drift", nullptr},
                                {"momentum_drift", nullptr}};
    if (report.first && report.last) {
        json["energy"] = report.last->total();
        json["energy_drift"] = report.energy_drift();
        json["momentum_drift"] = report.momentum_drift();
    }
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace orrery
