// SPDX-License-Identifier: MIT
// Counts what each form launches and wastes: figure 3 (right) of the HPCC paper.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/kernel.hpp"

namespace orrery {
namespace {

std::vector<LabForm> counted_forms(const LabConfig& config) {
    std::vector<LabForm> all;
    for (const std::string& id : config.maps) find_in_menu(lab_forms(), "map", id);
    for (const LabForm& form : lab_forms())
        if (!form.triples && (form.form == form_id<BoundingBox> || config.wants_map(form.id))) all.push_back(form);
    if (all.size() == 1 && !config.wants_map(all.front().id))
        usage_error(fmt::format("waste counts only maps of pairs; none among {}", fmt::join(config.maps, ", ")));
    return all;
}

LabTable run_waste(const LabConfig& config, const LabProgress& progress) {
    LabTable table{{"map", "rho", "bodies", "launches", "launched_blocks", "wasted_blocks", "launched_threads",
                    "wasted_threads", "wasted_part"},
                   {}};
    if (config.rho != 8 && config.rho != 16 && config.rho != 32)
        usage_error(fmt::format("rho {}: must be 8, 16 or 32", config.rho));
    const std::vector<LabForm> forms = counted_forms(config);
    const std::vector<std::uint32_t> sizes = lab_sizes(config, "waste");
    for (const std::uint32_t bodies : sizes) {
        if (bodies < 1 || bodies > kMostLabBodies)
            usage_error(fmt::format("waste: expected 1 to {} bodies, got {}", kMostLabBodies, bodies));
        for (const LabForm& form : forms) {
            progress(table.rows.size(), sizes.size() * forms.size(), fmt::format("{}, N = {}", form.id, bodies));
            const LaunchCounts counts = launch_counts({form.form}, bodies, config.rho);
            const auto whole = [](std::uint64_t count) { return LabValue{static_cast<std::int64_t>(count)}; };
            table.rows.push_back({std::string{form.id}, whole(config.rho), whole(bodies), whole(counts.launches),
                                  whole(counts.blocks), whole(counts.wasted_blocks), whole(counts.threads),
                                  whole(counts.wasted_threads),
                                  static_cast<double>(counts.wasted_blocks) / static_cast<double>(counts.blocks)});
            if (config.on_row) config.on_row(table.columns, table.rows.back());
        }
    }
    return table;
}

}  // namespace

LabEntry waste_experiment() {
    return {"waste", "Wasted blocks", "blocks and threads that each map launches, and those without work; counted",
            run_waste};
}

}  // namespace orrery
