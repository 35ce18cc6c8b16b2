// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/options.hpp"
#include "app/cli/table.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/machine.hpp"
#include "core/base/menu.hpp"
#include "core/base/output_file.hpp"
#include "core/base/progress.hpp"
#include "core/base/version.hpp"
#include "core/lab/experiments.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct LabOptions {
    std::string experiment = "all", backend, csv;
    bool json = false;
};

/// One experiment, done.
struct LabResult {
    LabEntry entry;
    LabTable table;
};

std::vector<LabEntry> chosen(const std::string& id) {
    if (id == "all") return {experiments().begin(), experiments().end()};
    return {find_in_menu(experiments(), "experiment", id)};
}

LabTable run(const LabEntry& entry, const LabConfig& config) {
    std::optional<Progress> bar;
    return entry.run(config, [&](std::uint64_t done, std::uint64_t total, const std::string& next) {
        if (!bar) bar.emplace(std::string{entry.id}, total);
        bar->update(done, next);
    });
}

Json to_json(const LabValue& value) {
    return std::visit(
        [](const auto& known) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>)
                return nullptr;
            else
                return known;
        },
        value);
}

/// A row per row of every experiment, with all that it needs to be understood later.
Json rows_of(const std::vector<LabResult>& results, Backend backend) {
    Json all = Json::array();
    for (const LabResult& result : results)
        for (const auto& row : result.table.rows) {
            Json item{{"experiment", result.entry.id}, {"backend", name(backend)}};
            for (std::size_t i = 0; i < row.size(); ++i) item[result.table.columns[i]] = to_json(row[i]);
            item["device"] = device_name(backend);
            item["driver"] = driver_version();
            item["compiler"] = compiler();
            item["version"] = version();
            item["commit"] = commit();
            all.push_back(std::move(item));
        }
    return all;
}

/// Columns in the order in which they first appear; what an experiment does not have stays empty.
std::string to_csv(const Json& rows) {
    std::vector<std::string> columns;
    for (const Json& row : rows)
        for (const auto& [key, value] : row.items())
            if (std::ranges::find(columns, key) == columns.end()) columns.push_back(key);
    std::string text;
    for (const std::string& column : columns) text += (text.empty() ? "" : ",") + column;
    for (const Json& row : rows) {
        text += '\n';
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto value = row.find(columns[i]);
            if (i > 0) text += ',';
            if (value == row.end() || value->is_null()) continue;
            text += csv_cell(value->is_string() ? value->get<std::string>() : value->dump());
        }
    }
    return text + '\n';
}

std::string for_people(const LabValue& value) {
    const Json json = to_json(value);
    if (json.is_null()) return "none";
    if (json.is_boolean()) return json.get<bool>() ? "yes" : "no";
    return json.is_string() ? json.get<std::string>() : json.dump();
}

void print(const LabResult& result) {
    fmt::print("{}: {}\n", result.entry.label, result.entry.doc);
    Table table;
    for (std::string column : result.table.columns) {
        std::ranges::replace(column, '_', ' ');
        table.head.push_back(column);
    }
    for (const auto& row : result.table.rows) {
        table.rows.emplace_back();
        for (const LabValue& value : row) table.rows.back().push_back(for_people(value));
    }
    fmt::print("{}", table.text());
}

int lab(const LabOptions& options) {
    const std::vector<LabEntry> entries = chosen(options.experiment);
    const LabConfig config{.backend = options.backend.empty() ? best_backend() : parse_backend(options.backend)};
    if (!options.csv.empty()) require_writable(options.csv);
    std::vector<LabResult> results;
    for (const LabEntry& entry : entries) results.push_back({entry, run(entry, config)});
    const Json rows = rows_of(results, config.backend);
    if (!options.csv.empty()) {
        OutputFile file{options.csv};
        file.write(to_csv(rows));
        file.commit();
    }
    if (options.json) {
        fmt::print("{}\n", rows.dump(2));
        return 0;
    }
    fmt::print("orrery {} ({}), {}\n{}: {}\n", version(), commit(), compiler(), name(config.backend),
               device_name(config.backend));
    for (const LabResult& result : results) print(result);
    return 0;
}

}  // namespace

Work declare_lab(CLI::App& app) {
    const auto options = std::make_shared<LabOptions>();
    app.add_option("--experiment", options->experiment, "Which one: " + ids(experiments()) + ", or all")
        ->capture_default_str();
    app.add_option("--backend", options->backend,
                   "Where it runs: cpu or cuda; without it, cuda where there is a device");
    app.add_option("--csv", options->csv, "Write the rows to this file too");
    add_json(app, options->json);
    app.footer(
        "exactness: the first row of tiles (of the thread-space utm: the first number of threads on a side) that a\n"
        "form misses which trusts its root; bodies is the largest N that it is right for, at tiles of 16 bodies. Roots "
        "of\n"
        "a device are not those of a host, so the two ranges differ. Example:\n"
        "  orrery lab --experiment exactness --backend cpu --csv exactness.csv");
    return [options] { return lab(*options); };
}

}  // namespace orrery
