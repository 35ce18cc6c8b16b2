// SPDX-License-Identifier: MIT
#include "core/engines/auto_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

constexpr double kClearly = 0.98;             // of the time of the fastest so far; smaller gains are noise
constexpr std::size_t kMostTableRows = 2048;  // of the map lut: with more rows (16 MiB) writing the table takes too
                                              // long
constexpr std::size_t kOthersListed = 3;

/// `asked` for another engine, without the settings that only some engines read.
EngineConfig plain(const EngineConfig& asked, std::string_view id) {
    EngineConfig config{.engine = std::string{id}, .backend = asked.backend, .precision = asked.precision};
    config.deterministic = asked.deterministic;
    config.threads = asked.threads;
    config.background = asked.background;
    return config;
}

bool allows_trees(const EngineConfig& asked) { return requested_mac(asked.tree).has_value(); }

/// The largest few tile sizes that leave enough tiles to distribute: a row of the triangle for each of `least` tiles.
std::vector<int> sides(Backend backend, std::size_t bodies) {
    const bool cpu = backend == Backend::kCpu;
    const std::vector<int> all = cpu ? std::vector{512, 256, 128, 64, 32} : std::vector{512, 384, 256, 128, 64, 32};
    const std::size_t least = cpu ? 8 : 16, most = cpu ? 3 : 4;
    std::vector<int> chosen;
    for (const int side : all)
        if (bodies >= least * static_cast<std::size_t>(side) && chosen.size() < most) chosen.push_back(side);
    if (chosen.empty()) chosen.push_back(all.back());
    return chosen;
}

std::string time(const Trial& trial) {
    const char* about = trial.whole ? "" : "≈ ";
    return trial.seconds < 1 ? fmt::format("{}{:.3g} ms", about, 1e3 * trial.seconds)
                             : fmt::format("{}{:.3g} s", about, trial.seconds);
}

/// The accuracy that a tree gives up compared with the sum over all pairs.
std::string accuracy_text(const TreeConfig& tree) {
    const std::optional<Mac> mac = requested_mac(tree);
    if (!mac) return {};
    if (const auto* theta = std::get_if<Theta>(&*mac)) return fmt::format(", θ = {:g}", theta->value);
    if (const auto* alpha = std::get_if<Alpha>(&*mac)) return fmt::format(", α = {:g}", alpha->value);
    return fmt::format(" with errors of {:g}", std::get<Accuracy>(*mac).error);
}

/// An abbreviated description, next to one that was given in full.
std::string abbreviated(const EngineConfig& other, const EngineConfig& best) {
    if (accuracy_text(other.tree) == accuracy_text(best.tree) && other.tile_size == 0) return other.engine;
    if (other.engine != "half" || other.tile_size == 0) return describe(other);
    const bool same = best.engine != "half" || other.map == best.map;  // trees are tried beside the default map
    return same ? fmt::format("half ρ {}", other.tile_size) : fmt::format("half map {}", other.map);
}

}  // namespace

std::vector<EngineConfig> auto_candidates(const EngineConfig& asked, std::size_t bodies, PairLaw law) {
    std::vector<EngineConfig> all;
    if (find_engine("direct", asked.backend)) all.push_back(plain(asked, "direct"));
    if (find_engine("half", asked.backend))
        for (const int side : sides(asked.backend, bodies)) {
            all.push_back(plain(asked, "half"));
            all.back().tile_size = side;
        }
    for (const char* id : {"tree", "fmm"})
        if (allows_trees(asked) && find_engine(id, asked.backend)) {
            all.push_back(plain(asked, id));
            all.back().tree = asked.tree;
        }
    std::erase_if(all, [law](const EngineConfig& each) { return !computes(*find_engine(each), law); });
    return all;
}

std::vector<EngineConfig> auto_maps(const EngineConfig& fastest, std::size_t bodies) {
    if (fastest.engine != "half" || fastest.backend == Backend::kCpu) return {};
    std::vector<EngineConfig> all;
    for (const char* map : {"rb", "lut", "hadouken"}) {
        if (map == std::string_view{"lut"} && bodies > kMostTableRows * static_cast<std::size_t>(fastest.tile_size))
            continue;
        all.push_back(fastest);
        all.back().map = map;
    }
    return all;
}

EngineConfig auto_by_rule(const EngineConfig& asked, std::size_t bodies, PairLaw law) {
    // Measured crossovers on the machines of bench/results. Another machine may lose some time, but gets the same bits.
    const bool cpu = asked.backend == Backend::kCpu;
    const std::size_t half_from = cpu ? 1024 : 8192, tree_from = cpu ? 8192 : 65536;
    const auto repeats = [&](std::string_view id) {
        const EngineEntry* entry = find_engine(id, asked.backend);
        return entry && computes(*entry, law) && entry->repeats(plain(asked, id));
    };
    if (bodies >= tree_from && allows_trees(asked) && repeats("tree")) {
        EngineConfig tree = plain(asked, "tree");
        tree.tree = asked.tree;
        return tree;
    }
    return plain(asked, bodies >= half_from && repeats("half") ? "half" : "direct");
}

void TrialPace::add(std::uint64_t items, double seconds) {
    seconds = std::max(seconds, 1e-9);
    const double rate = static_cast<double>(items) / seconds;
    const bool large = seconds >= budget_ / 4;
    faster_ = rate > 1.1 * rate_;
    rate_ = large && large_ ? std::max(rate, rate_) : rate;
    large_ = large_ || large;
    spent_ += seconds;
    slice_ = items;
}

std::uint64_t TrialPace::next_slice() const {
    if (slice_ == 0) return 1;
    const auto least = static_cast<double>(slice_);
    return static_cast<std::uint64_t>(std::clamp(rate_ * budget_, least, 8 * least));
}

const Trial& fastest(std::span<const Trial> trials) {
    const Trial* best = nullptr;
    for (const Trial& trial : trials)
        if (trial.refusal.empty() && (!best || trial.seconds < kClearly * best->seconds)) best = &trial;
    if (best) return *best;
    environment_error(trials.empty() ? "engine auto: no engine is available"
                                     : fmt::format("engine auto: no engine can run here; {}: {}",
                                                   describe(trials.front().config), trials.front().refusal));
}

std::string describe(const EngineConfig& config) {
    if (config.engine == "tree" || config.engine == "fmm") return config.engine + accuracy_text(config.tree);
    if (config.engine != "half" || config.tile_size == 0) return config.engine;
    return fmt::format("half, map {}, ρ {}", config.map, config.tile_size);
}

std::string describe(std::span<const Trial> trials, double seconds) {
    const Trial& best = fastest(trials);
    std::vector<const Trial*> others;
    std::string refused;
    for (const Trial& trial : trials) {
        if (!trial.refusal.empty())
            refused += fmt::format("; {}: {}", describe(trial.config), trial.refusal);
        else if (&trial != &best)
            others.push_back(&trial);
    }
    std::ranges::sort(others, {}, &Trial::seconds);
    // List the best time of each other engine before further tile sizes of the same one.
    std::vector<std::string_view> named{best.config.engine};
    std::ranges::stable_partition(others, [&](const Trial* other) {
        if (std::ranges::find(named, other->config.engine) != named.end()) return false;
        named.push_back(other->config.engine);
        return true;
    });
    std::string text = fmt::format("{}: {}", describe(best.config), time(best));
    for (std::size_t i = 0; i < std::min(others.size(), kOthersListed); ++i)
        text +=
            fmt::format("{} {} {}", i == 0 ? ";" : ",", abbreviated(others[i]->config, best.config), time(*others[i]));
    return text + fmt::format(" ({} tried in {:.2g} s{})", trials.size(), seconds, refused);
}

EngineEntry auto_entry(const EngineEntry& direct, const EngineEntry& half) {
    return {
        .id = "auto",
        .label = "Automatic",
        .doc = {},
        .backend = direct.backend,
        .tolerance_single = std::max(direct.tolerance_single, half.tolerance_single),
        .tolerance_double = std::max(direct.tolerance_double, half.tolerance_double),
        .max_bodies = std::max(direct.max_bodies, half.max_bodies),
        .pair_laws = direct.pair_laws,
        .capabilities = {Capability::kTree, Capability::kAccuracy, Capability::kGroups, Capability::kDeterministicMode},
        .same_bits = false,
        .make = nullptr,
        .own_tolerance = auto_tolerance};
}

double auto_tolerance(const EngineConfig& asked) {
    double most = 0;
    for (const EngineConfig& config : auto_candidates(asked, 1))
        most = std::max(most, find_engine(config.engine, config.backend)->tolerance(config));
    return most;
}

}  // namespace orrery
