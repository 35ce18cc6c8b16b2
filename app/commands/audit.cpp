// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "core/audit/audit.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

struct AuditOptions {
    std::vector<std::string> sources;
    std::string output;
    AuditPlan plan;
    EngineOptions engine;
};

void print_audit(const Audit& audit) {
    to_stdout("{} bodies, {} snapshots; forces by {}; {}\n", audit.bodies, audit.snapshots.size(), audit.engine,
              audit.law);
    to_stdout("{:>12} {:>12} {:>14} {:>10} {:>10} {:>10} {:>6}\n", "time", "to", "E", "dE/E", "positions", "velocities",
              "jumps");
    const SnapshotAudit& first = audit.snapshots.front();
    for (std::size_t i = 0; i + 1 < audit.snapshots.size(); ++i) {
        const SnapshotAudit& each = audit.snapshots[i + 1];
        const IntervalAudit& before = audit.intervals[i];
        to_stdout("{:>12g} {:>12g} {:>14.8g} {:>10.2e} {:>10.2e} {:>10.2e} {:>6}\n", before.from, before.to,
                  each.energy(), each.energy_change(first), before.position_error, before.velocity_error,
                  before.jumped);
    }
    for (const std::string& note : audit.notes) to_stderr("orrery: note: {}\n", note);
    for (const std::string& finding : audit.findings) to_stdout("found: {}\n", finding);
    if (audit.findings.empty()) to_stdout("nothing found\n");
}

int audit_command(AuditOptions& options) {
    if (!options.output.empty() && std::filesystem::path{options.output}.extension() != ".html")
        usage_error(fmt::format("{}: expected a name that ends in .html", options.output));
    if (!options.output.empty()) require_writable(options.output);
    options.plan.engine = options.engine.config();
    const Audit audit = audit_series(options.sources, options.plan);
    print_audit(audit);
    if (!options.output.empty()) {
        write_file(options.output, audit_html(audit));
        to_stdout("wrote {}\n", options.output);
    }
    return audit.findings.empty() ? 0 : kCheckFailed;
}

}  // namespace

Work declare_audit(CLI::App& app) {
    const auto options = std::make_shared<AuditOptions>();
    options->engine.precision = "double";
    app.add_option("SOURCE", options->sources, "Snapshots of one run: files, a folder or a pattern")->required();
    app.add_option("-o,--output", options->output, "Report to write, .html");
    app.add_option("--softening", options->plan.softening, "Softening length of the run (default: that of the files)");
    app.add_option("--constant", options->plan.constant, "Gravitational constant of the run (default: as read)")
        ->check(positive());
    app.add_option("--recompute", options->plan.steps,
                   "Leapfrog steps from each snapshot to the next, which are compared; 0: none")
        ->check(CLI::Range(0, 1'000'000'000));
    add_engine(app, options->engine);
    app.footer(
        "Checks a run of any program: energy and momentum of each snapshot, whether positions follow from velocities "
        "and "
        "velocities from the forces, and bodies that jump. Exit code 1: something was found. Examples:\n  orrery audit "
        "output/ -o audit.html\n  orrery audit snap_*.hdf5 --softening 0.05 --recompute 200");
    return [options] { return audit_command(*options); };
}

}  // namespace orrery
