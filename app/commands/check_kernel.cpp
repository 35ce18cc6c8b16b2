// SPDX-License-Identifier: MIT
#include "app/commands/check_kernel.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "core/base/standard_streams.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/simulation/kernel_verdict.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kMostJudgedRows = 4096;

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
                               {"milliseconds", 1e3 * verdict.times->seconds},
                               {"pairs_per_second", verdict.times->pairs_per_second()},
                               {"direct_milliseconds", 1e3 * verdict.times->rival_seconds},
                               {"ratio_to_direct", verdict.times->ratio()},
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
        verdict.tolerance, verdict.worst, verdict.worst_error, 1e3 * verdict.times->seconds,
        with_prefix(verdict.times->pairs_per_second()), 1e3 * verdict.times->rival_seconds, verdict.times->ratio(),
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

int check_kernel(const KernelFile& file, const std::function<Scene()>& scene, bool json) {
    if (file.kind == KernelKind::kMap) return check_map(file, json);
    const Scene bodies = scene();
    ForceVerdict verdict = compare_force(file, bodies);
    verdict.times = time_kernel(file, bodies);
    print_force(verdict, json);
    return verdict.pass() ? 0 : kCheckFailed;
}

}  // namespace orrery
