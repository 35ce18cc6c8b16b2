// SPDX-License-Identifier: MIT
#include "core/engines/device_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <ranges>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

constexpr double kNear = 4;  // largest ratio of numbers of bodies for which settings are used
constexpr auto kTunable = std::to_array<std::string_view>(
    {"tile_p", "tile_u", "tile_q", "tile_s", "tile_k", "rows", "strip", "order", "leaf", "group"});

const EngineSetting* find_tunable(std::string_view id) {
    if (std::ranges::find(kTunable, id) == kTunable.end()) return nullptr;
    const auto all = engine_settings();
    const auto found = std::ranges::find(all, id, [](const EngineSetting& each) { return each.info.id; });
    return found == all.end() ? nullptr : &*found;
}

bool is_zero(const EngineSetting& setting, const EngineConfig& config) {
    return setting.member.get(config) == SettingValue{std::int64_t{0}};
}

/// |log| of the ratio of two numbers of bodies; infinite beyond kNear.
double distance(std::size_t a, std::size_t b) {
    const double ratio = std::abs(std::log(static_cast<double>(a) / static_cast<double>(b)));
    return ratio <= std::log(kNear) * (1 + 1e-9) ? ratio : std::numeric_limits<double>::infinity();
}

const TunedEngine* nearest(const DeviceTuning& tuning, std::string_view engine, Precision precision,
                           std::size_t bodies) {
    const TunedEngine* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const TunedEngine& each : tuning.engines) {
        if (each.engine != engine || each.precision != precision) continue;
        if (const double apart = distance(each.bodies, bodies); apart < least) least = apart, best = &each;
    }
    return best;
}

[[noreturn]] void refuse_line(std::string_view name, int line, std::string_view why) {
    usage_error(fmt::format("{}:{}: {}", name, line, why));
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (const auto part : std::views::split(line, ' '))
        if (const std::string_view word{part.begin(), part.end()}; !word.empty()) words.push_back(word);
    return words;
}

/// "half single 16384 rows=256 ms=1.2 default_ms=1.3"
TunedEngine parse_row(std::string_view text, std::string_view name, int line) {
    const std::vector<std::string_view> words = words_of(text);
    if (words.size() < 3) refuse_line(name, line, "expected an engine, a precision and a number of bodies");
    TunedEngine row{.engine = std::string{words[0]}};
    try {
        row.precision = parse_precision(words[1]);
    } catch (const Error& error) {
        refuse_line(name, line, error.what());
    }
    if (!read_number(words[2], row.bodies) || row.bodies == 0)
        refuse_line(name, line, fmt::format("expected a number of bodies, found '{}'", words[2]));
    for (const std::string_view word : words | std::views::drop(3)) {
        const std::size_t equals = word.find('=');
        const std::string_view id = word.substr(0, equals);
        const std::string_view value = equals == word.npos ? "" : word.substr(equals + 1);
        if (id == "ms" || id == "default_ms") {
            double& seconds = id == "ms" ? row.seconds : row.default_seconds;
            if (!read_number(value, seconds) || !(seconds > 0) || !std::isfinite(seconds))
                refuse_line(name, line, fmt::format("{}: expected milliseconds, found '{}'", id, value));
            seconds /= 1e3;
            continue;
        }
        const EngineSetting* const setting = find_tunable(id);
        if (!setting) refuse_line(name, line, fmt::format("'{}' is not a setting that can be tuned", id));
        std::int64_t number = 0;
        if (!read_number(value, number) || !accepts(setting->info, number))
            refuse_line(name, line,
                        fmt::format("{}: expected {}, found '{}'", id, expected_text(setting->info), value));
        row.settings.emplace_back(id, number);
    }
    return row;
}

struct Source {
    std::mutex mutex;
    DeviceTuning (*read)(Backend) = nullptr;
    std::map<Backend, DeviceTuning> known;
};
Source& source() {
    static Source one;
    return one;
}

}  // namespace

std::span<const std::string_view> tunable_settings() { return kTunable; }

std::string text_of(const DeviceTuning& tuning) {
    std::string text = fmt::format(
        "# The fastest settings of engines on this device, measured by `orrery bench --tune`.\n"
        "# Without this file the built-in settings apply.\ndevice {}\n",
        tuning.device);
    for (const TunedEngine& each : tuning.engines) {
        text += fmt::format("{} {} {}", each.engine, name(each.precision), each.bodies);
        for (const auto& [id, value] : each.settings) text += fmt::format(" {}={}", id, value);
        text += fmt::format(" ms={} default_ms={}\n", 1e3 * each.seconds, 1e3 * each.default_seconds);
    }
    return text;
}

DeviceTuning read_tuning(std::string_view text, std::string_view name) {
    DeviceTuning tuning;
    int line = 0;
    for (const auto part : std::views::split(text, '\n')) {
        ++line;
        const std::string_view each{part.begin(), part.end()};
        if (each.find_first_not_of(" \r") == each.npos || each.starts_with('#')) continue;
        if (each.starts_with("device "))
            tuning.device = each.substr(7);
        else
            tuning.engines.push_back(parse_row(each, name, line));
    }
    return tuning;
}

EngineConfig with_tuning(const DeviceTuning& tuning, const EngineConfig& asked, std::size_t bodies) {
    const TunedEngine* const row = nearest(tuning, asked.engine, asked.precision, bodies);
    if (!row) return asked;
    const bool own_tile = asked.tile != TileConfig{};
    const Mac mac = mac_of(asked.tree);
    const auto* const accuracy = std::get_if<Accuracy>(&mac);
    EngineConfig tuned = asked;
    for (const auto& [id, value] : row->settings) {
        const EngineSetting& setting = *find_tunable(id);
        if (!is_zero(setting, asked) || (own_tile && setting.info.group == &kTileGroup)) continue;
        if (id == "order" && !(accuracy && accuracy->error == kDefaultAccuracy)) continue;
        setting.member.set(tuned, value);
    }
    return tuned;
}

std::string fastest_tuned(const DeviceTuning& tuning, Precision precision, std::size_t bodies,
                          std::span<const std::string_view> engines) {
    const TunedEngine* best = nullptr;
    std::size_t found = 0, count = 0;
    for (const std::string_view engine : engines) {
        const TunedEngine* const row = nearest(tuning, engine, precision, bodies);
        if (!row || !(row->seconds > 0) || (count != 0 && row->bodies != count)) continue;
        ++found, count = row->bodies;
        if (!best || row->seconds < best->seconds) best = row;
    }
    return found >= 2 ? best->engine : std::string{};
}

void set_tuning_source(DeviceTuning (*read)(Backend)) {
    const std::lock_guard lock{source().mutex};
    source().read = read;
    source().known.clear();
}

const DeviceTuning& tuning_of(Backend backend) {
    const std::lock_guard lock{source().mutex};
    const auto [found, is_new] = source().known.try_emplace(backend);
    if (is_new && source().read) found->second = source().read(backend);
    return found->second;
}

}  // namespace orrery
