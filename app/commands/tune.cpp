// SPDX-License-Identifier: MIT
#include "app/commands/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

constexpr double kGain = 0.98;  // of the best time so far; smaller gains are noise
constexpr int kPasses = 3, kComparisons = 3;

/// The values that a panel offers for a setting, without 0.
std::vector<std::int64_t> offered_values(const EngineSetting& setting, const EngineConfig& config) {
    std::vector<OfferedNumber> offered;
    if (setting.offers)
        offered = setting.offers(config);
    else if (const auto* const sizes = std::get_if<SizesKind>(&setting.info.kind))
        offered = sizes->sizes;
    std::vector<std::int64_t> values;
    for (const OfferedNumber& each : offered)
        if (each.value != 0) values.push_back(each.value);
    return values;
}

std::vector<const EngineSetting*> settings_of(const EngineEntry& entry) {
    std::vector<const EngineSetting*> all;
    for (const EngineSetting& each : engine_settings())
        if (std::ranges::find(tunable_settings(), each.info.id) != tunable_settings().end() && reads(entry, each.info))
            all.push_back(&each);
    return all;
}

/// `base` with the built-in order of expansions, so that simulations and `bench` do not choose one by measurement.
EngineConfig with_own_order(const EngineEntry& entry, EngineConfig base, std::size_t bodies) {
    if (entry.has(Capability::kAccuracy))
        base.tree.order = entry.has(Capability::kGroups) ? tree_choice(base.tree, entry.backend, bodies).order
                                                         : fmm_choice(base.tree, entry.backend, bodies).order;
    return base;
}

}  // namespace

bool can_tune(const EngineEntry& entry) { return !settings_of(entry).empty(); }

TunedEngine tune_engine(const EngineEntry& entry, const EngineConfig& base, std::size_t bodies,
                        const TimeForces& time_forces) {
    const EngineConfig start = with_own_order(entry, base, bodies);
    const auto seconds_of = [&](const EngineConfig& config) -> std::optional<double> {
        try {
            const Timed timed = time_forces(config);
            if (timed.error <= entry.tolerance(config)) return timed.seconds;
        } catch (const Error& error) {
            if (error.blame() != Blame::kUsage) throw;
        }
        return std::nullopt;
    };
    TunedEngine row{.engine = std::string{entry.id}, .precision = base.precision, .bodies = bodies};
    row.default_seconds = time_forces(start).seconds;
    EngineConfig best = start;
    double least = row.default_seconds;
    const std::vector<const EngineSetting*> settings = settings_of(entry);
    for (int pass = 0; pass < kPasses; ++pass) {
        bool gained = false;
        for (const EngineSetting* const setting : settings) {
            const EngineConfig before = best;
            for (const std::int64_t value : offered_values(*setting, before)) {
                EngineConfig config = before;
                setting->member.set(config, value);
                if (config == before) continue;
                const auto seconds = seconds_of(config);
                if (seconds && *seconds < kGain * least) least = *seconds, best = config, gained = true;
            }
        }
        if (!gained || settings.size() == 1) break;
    }
    // Both once more, in turns: a disturbance during one of many trials must not decide.
    if (best != start) {
        least = time_forces(best).seconds;
        for (int i = 0; i < kComparisons; ++i) {
            row.default_seconds = std::min(row.default_seconds, time_forces(start).seconds);
            least = std::min(least, time_forces(best).seconds);
        }
        if (!(least < kGain * row.default_seconds)) best = start, least = row.default_seconds;
    }
    row.seconds = least;
    for (const EngineSetting* const setting : settings) {
        const SettingValue value = setting->member.get(best);
        if (best == start || value == SettingValue{std::int64_t{0}}) continue;
        row.settings.emplace_back(setting->info.id, std::get<std::int64_t>(value));
    }
    return row;
}

void store_tuning(Backend backend, DeviceTuning known, const std::vector<TunedEngine>& rows) {
    const std::filesystem::path path = tuning_path(backend);
    if (path.empty())
        environment_error("no place for the measured settings: set HOME or XDG_CACHE_HOME to an absolute path");
    known.device = device_name(backend);
    for (const TunedEngine& row : rows) {
        std::erase_if(known.engines, [&](const TunedEngine& each) {
            return each.engine == row.engine && each.precision == row.precision && each.bodies == row.bodies;
        });
        known.engines.push_back(row);
    }
    std::error_code ignored;  // write_file() reports a folder that cannot be created
    std::filesystem::create_directories(path.parent_path(), ignored);
    write_file(path, text_of(known));
}

std::string tuning_table(Backend backend, const std::vector<TunedEngine>& rows) {
    Table table;
    table.head = {"engine", "precision", "bodies", "built-in ms", "tuned ms", "gain", "settings"};
    for (const TunedEngine& row : rows) {
        std::string settings;
        for (const auto& [id, value] : row.settings)
            settings += fmt::format("{}{} {}", settings.empty() ? "" : ", ", id, value);
        table.rows.push_back({row.engine, std::string{name(row.precision)}, fmt::to_string(row.bodies),
                              fmt::format("{:.4g}", 1e3 * row.default_seconds),
                              fmt::format("{:.4g}", 1e3 * row.seconds),
                              fmt::format("{:.2f} ×", row.default_seconds / row.seconds),
                              settings.empty() ? "the built-in ones" : settings});
    }
    return fmt::format("{} ({}):\n{}", device_name(backend), name(backend), table.text());
}

}  // namespace orrery
