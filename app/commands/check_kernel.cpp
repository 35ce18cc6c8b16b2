// SPDX-License-Identifier: MIT
#include "app/commands/check_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/evaluation_time.hpp"
#include "core/engines/kernel_choice.hpp"
#include "core/kernels/kernel_map.hpp"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kMostJudgedRows = 4096;

/// The accelerations that count as exact.
std::vector<Vec4d> truth_of(const KernelFile& file, EngineConfig config, const Scene& scene) {
    if (!file.own_law) {
        // Positions and masses as the engine has them, so that their rounding is not its error.
        std::vector<Vec4d> bodies = scene.bodies.position_mass;
        for (Vec4d& body : bodies) body = convert<double>(convert<float>(body));
        return reference_accelerations(Law::kPairs, bodies, scene.gravity);
    }
    config.precision = Precision::kDouble;
    Bodies rounded = scene.bodies;
    for (Vec4d& body : rounded.position_mass) body = convert<double>(convert<float>(body));
    return accelerations(config, rounded, scene.gravity);
}

void print_force(const ForceVerdict& verdict, bool json) {
    if (json) {
        to_stdout("{}\n", Json{{"engine", verdict.engine},
                               {"scene", verdict.scene},
                               {"bodies", verdict.bodies},
                               {"law", verdict.own_law ? "own" : "gravity"},
                               {"rms_error", verdict.rms_error},
                               {"tolerance", verdict.tolerance},
                               {"worst_error", verdict.worst_error},
                               {"worst_body", verdict.worst},
                               {"milliseconds", 1e3 * verdict.seconds},
                               {"pairs_per_second", verdict.pairs_per_second()},
                               {"direct_milliseconds", 1e3 * verdict.house_seconds},
                               {"ratio_to_direct", verdict.house_seconds / verdict.seconds},
                               {"pass", verdict.pass()}}
                              .dump(2));
        return;
    }
    to_stdout(
        "engine    {}, {} bodies of {}\n"
        "error     {:.2e} (relative RMS against {} in double precision; tolerance {:.0e})\n"
        "worst     body {}, {:.2e}\n"
        "time      {:.4g} ms, {}pairs/s\n"
        "direct    {:.4g} ms: the kernel has {:.2f} of its speed\n"
        "verdict   {}\n",
        verdict.engine, verdict.bodies, verdict.scene, verdict.rms_error, verdict.own_law ? "its own sum" : "all pairs",
        verdict.tolerance, verdict.worst, verdict.worst_error, 1e3 * verdict.seconds,
        with_prefix(verdict.pairs_per_second()), 1e3 * verdict.house_seconds, verdict.house_seconds / verdict.seconds,
        verdict.pass() ? "pass" : "WRONG");
}

int check_map(const KernelFile& file, bool json) {
    const MapVerdict verdict = judge_map(kernel_map(file), kMostJudgedRows);
    const MapExactness& last = verdict.first_wrong ? *verdict.first_wrong : verdict.last;
    const double launched = static_cast<double>(last.launched), rows = last.rows;
    if (json) {
        Json first = Json::array();
        if (last.first) first = {last.first->row, last.first->col};
        to_stdout("{}\n", Json{{"map", file.title},
                               {"exact", !verdict.first_wrong},
                               {"rows", last.rows},
                               {"missing", last.missing},
                               {"twice", last.twice},
                               {"outside", last.outside},
                               {"first_wrong_tile", first},
                               {"blocks", last.launched},
                               {"blocks_of_bb_per_block", rows * rows / launched}}
                              .dump(2));
    } else {
        to_stdout("map       {}\nverdict   {}\nblocks    {} for {} rows; bounding box: {:.2f} times as many\n",
                  file.title, describe(verdict), last.launched, last.rows, rows * rows / launched);
    }
    return verdict.first_wrong ? kCheckFailed : 0;
}

}  // namespace

ForceVerdict judge_force(const KernelFile& file, const Scene& scene) {
    const EngineEntry& entry = engine_of(file);
    const EngineConfig config{.engine = std::string{entry.id}, .backend = entry.backend, .kernel = file.text};
    ForceVerdict verdict{.engine = fmt::format("kernel {} on {}", file.title, name(entry.backend)),
                         .scene = scene.id,
                         .bodies = scene.bodies.size(),
                         .own_law = file.own_law,
                         .tolerance = entry.tolerance(config)};
    const std::vector<Vec4d> truth = truth_of(file, config, scene),
                             found = accelerations(config, scene.bodies, scene.gravity);
    double off = 0, all = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Vec3d wanted = xyz(truth[i]), difference = xyz(found[i]) - wanted;
        off += dot(difference, difference), all += dot(wanted, wanted);
        const double error = std::sqrt(dot(difference, difference) / std::max(dot(wanted, wanted), 1e-300));
        if (!(error <= verdict.worst_error)) verdict.worst_error = error, verdict.worst = i;
    }
    verdict.rms_error = off > 0 ? std::sqrt(off / std::max(all, 1e-300)) : off;
    verdict.seconds = fastest_evaluation(config, scene);
    verdict.house_seconds = fastest_evaluation({.engine = "direct", .backend = entry.backend}, scene);
    return verdict;
}

int check_kernel(const KernelFile& file, const std::function<Scene()>& scene, bool json) {
    if (file.kind == KernelKind::kMap) return check_map(file, json);
    const ForceVerdict verdict = judge_force(file, scene());
    print_force(verdict, json);
    return verdict.pass() ? 0 : kCheckFailed;
}

}  // namespace orrery
