// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/cli/lab_rows.hpp"
#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/lab/papers.hpp"
#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/figures.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

/// The rows of a CSV file to which the laboratory adds: existing rows are kept and can be looked up.
class LabFile {
public:
    /// With an empty path there is no file. Throws Error{kUsage} if the file has other content.
    explicit LabFile(std::string path);

    /// A row measured before with the same settings, program and device; empty if there is none.
    std::vector<LabValue> kept(const Json& settings, const std::vector<std::string>& columns) const;
    /// Replaces the row with the same settings, if there is one.
    void add(const Json& row);
    /// Writes if the last write was at least two seconds ago, so that little is lost if the program is killed.
    void write_sometimes();
    void write();

private:
    std::string path_;
    Json rows_ = Json::array();                            ///< text, as in the file
    std::unordered_map<std::string, std::size_t> places_;  ///< index of each row, by its settings
    double written_ = 0;                                   ///< seconds of the steady clock
};

constexpr double kBetweenWrites = 2;  // seconds

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The records of a CSV text (RFC 4180): cells in quotes may hold commas, quotes and ends of lines.
std::vector<std::vector<std::string>> records(const std::string& text) {
    std::vector<std::vector<std::string>> all;
    std::vector<std::string> record{""};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            record.back() += text[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ',')
            record.emplace_back();
        else if (!quoted && c == '\n')
            all.push_back(std::exchange(record, {""}));
        else if (quoted || c != '\r')
            record.back() += c;
    }
    if (record.size() > 1 || !record[0].empty()) all.push_back(record);
    return all;
}

LabValue parsed(const std::string& text) {
    if (text.empty()) return {};
    if (text == "true" || text == "false") return text == "true";
    std::int64_t whole = 0;
    double number = 0;
    const char *const begin = text.data(), *const end = begin + text.size();
    if (std::from_chars(begin, end, whole).ptr == end) return whole;
    if (std::from_chars(begin, end, number).ptr == end) return number;
    return text;
}

/// The fields that identify a measurement: rows that agree in them measure the same thing. In rows with `counted_in`,
/// such as those of `exactness`, `bodies` is a result and does not count.
std::string settings_of(const Json& row) {
    std::string settings;
    const bool by_result = !cell(row, "counted_in").empty();
    for (const char* key :
         {"experiment", "backend", "map",        "root",   "rho",        "preset",  "engine",  "precision",
          "accuracy",   "bodies",  "dimensions", "repeat", "counted_in", "program", "opening", "theta",
          "order",      "tile_p",  "tile_q",     "tile_u", "tile_s",     "strip",   "device",  "commit"})
        if (std::string_view{key} != "bodies" || !by_result) settings += cell(row, key) + '\n';
    return settings;
}

LabFile::LabFile(std::string path) : path_{std::move(path)} {
    if (path_.empty()) return;
    require_writable(path_);
    std::ifstream file{path_, std::ios::binary};
    const auto found = records({std::istreambuf_iterator<char>{file}, {}});
    if (found.empty()) return;
    if (found[0][0] != "experiment")
        usage_error(
            fmt::format("{} line 1: the first column must be 'experiment', found '{}': not written by orrery lab",
                        path_, found[0][0]));
    for (std::size_t line = 1; line < found.size(); ++line) {
        if (found[line].size() != found[0].size())
            usage_error(fmt::format("{} line {}: expected {} cells, found {}", path_, line + 1, found[0].size(),
                                    found[line].size()));
        Json row = Json::object();
        for (std::size_t i = 0; i < found[0].size(); ++i) row[found[0][i]] = found[line][i];
        places_.emplace(settings_of(row), rows_.size());
        rows_.push_back(std::move(row));
    }
}

std::vector<LabValue> LabFile::kept(const Json& settings, const std::vector<std::string>& columns) const {
    const auto place = places_.find(settings_of(settings));
    if (place == places_.end()) return {};
    std::vector<LabValue> values;
    for (const std::string& column : columns) values.push_back(parsed(cell(rows_[place->second], column)));
    return values;
}

void LabFile::add(const Json& row) {
    if (path_.empty()) return;
    const auto [place, is_new] = places_.emplace(settings_of(row), rows_.size());
    if (is_new)
        rows_.push_back(row);
    else
        rows_[place->second] = row;
}

void LabFile::write_sometimes() {
    if (now() - written_ >= kBetweenWrites) write();
}

void LabFile::write() {
    if (path_.empty() || rows_.empty()) return;
    write_file(path_, orrery::to_csv(rows_));
    written_ = now();
}

struct LabOptions {
    std::string experiment = "all", backend, csv, svg;
    std::vector<std::string> figures;
    std::vector<std::string> strips;  ///< numbers, or "auto"
    LabConfig config;
    KernelOptions kernel;
    bool json = false;
};

/// With `auto` the powers of two up to 64, of which print() names the fastest.
std::vector<std::uint32_t> strips_of(const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{"auto"}) return {1, 2, 4, 8, 16, 32, 64};
    std::vector<std::uint32_t> strips;
    for (const std::string& word : words)
        if (!read_number(word, strips.emplace_back()))
            usage_error(fmt::format("--strip: expected numbers of tiles per block or auto, found '{}'", word));
    return strips;
}

/// A completed experiment.
struct LabResult {
    LabEntry entry;
    LabTable table;
};

std::vector<LabEntry> chosen(const std::string& id) {
    if (id == "all") return {experiments().begin(), experiments().end()};
    return {find_in_menu(experiments(), "experiment", id)};
}

/// True if the experiment has thread maps of pairs.
bool takes_kernel(const LabEntry& entry) {
    return entry.id == "waste" || (tuple_order(entry.id) == 2 && !forms_of(entry.id).empty());
}

/// When all experiments run, removes the sizes that are too large for this one, and skips it if it has none of the
/// requested maps. False if nothing is left.
bool keep_what_it_takes(const LabEntry& entry, LabConfig& config) {
    const std::vector<std::string_view> forms = forms_of(entry.id);
    if (config.kernel && !takes_kernel(entry)) {
        to_stderr("skipped: {} does not time thread maps of pairs\n", entry.id);
        return false;
    }
    const auto its = [&](const std::string& id) { return std::ranges::find(forms, id) != forms.end(); };
    if (!forms.empty() && !config.maps.empty() && std::ranges::none_of(config.maps, its)) {
        to_stderr("skipped: {} has none of these maps\n", entry.id);
        return false;
    }
    if (config.backend == Backend::kGl && !entry.on_gl) {
        to_stderr("skipped: {} does not run on gl\n", entry.id);
        return false;
    }
    if (entry.most_bodies == LabEntry{}.most_bodies) return true;
    const auto too_large = [&](std::uint32_t bodies) { return bodies > entry.most_bodies; };
    if (std::ranges::none_of(config.bodies, too_large)) return true;
    std::erase_if(config.bodies, too_large);
    to_stderr("{} is limited to {} bodies: {}\n", entry.id, entry.most_bodies,
              config.bodies.empty() ? "skipped" : "larger sizes are skipped");
    return !config.bodies.empty();
}

LabTable run(const LabEntry& entry, LabConfig config, LabFile& file) {
    config.on_row = [&](const auto& columns, const auto& row) {
        file.add(lab_row(entry.id, config.backend, columns, row));
        file.write_sometimes();
    };
    config.kept = [&](std::string_view id, const auto& columns, const auto& settings) {
        return file.kept(lab_row(id, config.backend, columns, settings), columns);
    };
    std::optional<Progress> bar;
    return entry.run(config, [&](std::uint64_t done, std::uint64_t total, const std::string& next) {
        if (!bar) bar.emplace(std::string{entry.id}, total);
        bar->update(done, next);
    });
}

Json rows_of(const std::vector<LabResult>& results, Backend backend) {
    Json all = Json::array();
    for (const LabResult& result : results)
        for (const auto& row : result.table.rows)
            all.push_back(lab_row(result.entry.id, backend, result.table.columns, row));
    return all;
}

std::string for_people(const std::string& column, const LabValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return column == "why" ? "" : "none";
    if (const bool* yes = std::get_if<bool>(&value))
        return column == "verified" ? (*yes ? "yes" : "WRONG") : *yes ? "yes" : "no";
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.4g}", *number);
    const Json json = orrery::to_json(value);
    return json.is_string() ? json.get<std::string>() : json.dump();
}

/// Omits columns without values.
void print(const LabResult& result) {
    to_stdout("{}: {}\n", result.entry.label, result.entry.doc);
    Table table;
    table.rows.resize(result.table.rows.size());
    for (std::size_t i = 0; i < result.table.columns.size(); ++i) {
        const auto empty = [&](const auto& row) { return std::holds_alternative<std::monostate>(row[i]); };
        if (std::ranges::all_of(result.table.rows, empty)) continue;
        table.head.push_back(result.table.columns[i]);
        std::ranges::replace(table.head.back(), '_', ' ');
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            table.rows[row].push_back(for_people(result.table.columns[i], result.table.rows[row][i]));
    }
    to_stdout("{}", table.text());
    for (const FastestStrip& best : fastest_strips(result.table))
        to_stdout("{}{}, N = {}: fastest with k = {} tiles per block, I = {:.4g}\n", best.map,
                  best.dimensions > 0 ? fmt::format(", dimensions {}", best.dimensions) : "", best.bodies, best.strip,
                  best.improvement);
}

void write_figures(const std::vector<LabResult>& results, const std::string& folder, const std::string& device) {
    std::vector<std::pair<std::string, const LabTable*>> tables;
    for (const LabResult& result : results) tables.emplace_back(result.entry.id, &result.table);
    for (const LabFigure& figure : lab_figures(tables, device))
        write_file(std::filesystem::path{folder} / figure.file, figure.svg);
}

/// Reports how many rows were completed before an interrupt.
void report_interrupted(const std::vector<LabResult>& results, const std::string& csv) {
    std::size_t rows = 0;
    for (const LabResult& result : results) rows += result.table.rows.size();
    to_stderr(
        "orrery: interrupted after {} row{}{}\n", rows, rows == 1 ? "" : "s",
        csv.empty() ? "; with --csv FILE a later run measures only the rest" : "; the same command measures the rest");
}

int lab(const LabOptions& options) {
    std::vector<LabEntry> entries = chosen(options.experiment);
    LabConfig config = options.config;
    config.kernel = options.kernel.file();
    config.strips = strips_of(options.strips);
    config.backend = !options.backend.empty() ? parse_backend(options.backend)
                     : config.kernel          ? Backend::kCpu
                                              : best_backend();
    if (!options.svg.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(options.svg, failed);
        require_writable((std::filesystem::path{options.svg} / "figure-5.svg").string());
    }
    if (config.kernel && entries.size() == 1 && !takes_kernel(entries.front()))
        usage_error(fmt::format("{} does not time thread maps of pairs", entries.front().id));
    const bool figures = !options.figures.empty();
    std::map<std::string, LabConfig> needs;
    if (figures) {
        needs = paper_needs(options.figures, config);
        std::erase_if(entries, [&](const LabEntry& entry) { return !needs.contains(std::string{entry.id}); });
    }
    LabFile file{options.csv};
    const InterruptGuard interrupt;
    config.stop = [&] { return interrupt.interrupted(); };
    std::vector<LabResult> results;
    for (const LabEntry& entry : entries) {
        if (interrupt.interrupted()) break;
        LabConfig its_own = config;
        if (figures) its_own = needs.at(std::string{entry.id}), its_own.stop = config.stop;
        if (entries.size() > 1 && !keep_what_it_takes(entry, its_own)) continue;
        results.push_back({entry, run(entry, its_own, file)});
        for (const auto& row : results.back().table.rows)
            file.add(lab_row(entry.id, config.backend, results.back().table.columns, row));
        file.write();
    }
    if (interrupt.interrupted()) report_interrupted(results, options.csv);
    const std::string device = device_name(config.backend);
    if (!options.svg.empty()) write_figures(results, options.svg, device);
    if (options.json) {
        to_stdout("{}\n", rows_of(results, config.backend).dump(2));
    } else {
        to_stdout("orrery {} ({}), {}\n{}: {}\n", version(), commit(), compiler(), name(config.backend), device);
        for (const LabResult& result : results) print(result);
    }
    return interrupt_code();
}

}  // namespace

Work declare_lab(CLI::App& app) {
    const auto options = std::make_shared<LabOptions>();
    LabConfig& config = options->config;
    app.add_option("--experiment", options->experiment, "Experiment: " + ids(experiments()) + ", or all")
        ->capture_default_str();
    app.add_option("--backend", options->backend, "Backend: cpu, cuda or gl (default cuda if there is a device)");
    app.add_option("--maps", config.maps, "These maps, and the baseline bb, cube or hypercube: " + ids(lab_forms()))
        ->delimiter(',');
    app.add_option("--roots", config.roots, "These square roots: " + ids(roots()))->delimiter(',');
    app.add_option("--bodies", config.bodies,
                   "Numbers of bodies N (default 1024 to 30720 in steps of 1024, for triplet 64 to 1024 in steps of "
                   "64, for quadruplet 32 to 256 in steps of 32, for accuracy 65536)")
        ->delimiter(',');
    app.add_option("--rho", config.rho,
                   "Threads on a side of a block: 8, 16 or 32; for triplet always 8, for quadruplet 4")
        ->capture_default_str();
    app.add_option("--features", config.features, "Numbers of features of edm: 1 to 4 (default all)")->delimiter(',');
    app.add_option("--precisions", config.precisions, "Precisions of programs: double, single (default both)")
        ->delimiter(',');
    app.add_option("--theta", config.theta, "Opening angle of the trees of programs (default 0.5)");
    app.add_option("--cutoff", config.cutoff,
                   "The thesis' criterion instead: cells at this distance or farther are accepted")
        ->excludes("--theta");
    app.add_option(
           "--strip", options->strips,
           "Tiles per block of lambda-strip, rb-strip and bb-strip (default 8); auto: 1 to 64 in powers of two, "
           "and the fastest by name")
        ->delimiter(',');
    app.add_option("--repeat", config.repeat,
                   "Measurements of each case (default 30, with --quick 5; of tiles 10 and 3, of programs at most 3)")
        ->check(CLI::PositiveNumber);
    app.add_flag("--quick", config.quick, "Only three small sizes, and fewer measurements");
    app.add_option("--csv", options->csv,
                   "Write the rows to this file; rows that it already has are not measured again");
    app.add_option(
           "--figure,--figures", options->figures,
           "Measure what these figures and tables of the papers need; bench/paper_figures.py writes a page with "
           "published and measured values from the file of --csv: " +
               fmt::format("{}", fmt::join(paper_ids(), ", ")) + ", or all")
        ->delimiter(',')
        ->excludes("--experiment");
    app.add_option("--svg", options->svg, "Write plots of I over N, or of error and time, into this folder");
    add_kernel(app, options->kernel);
    add_json(app, options->json);
    app.footer(
        "I is the median time of bb over that of the map; a map with wrong results has none.\nexactness: the first row "
        "of tiles (for utm in thread space: the first number of threads per side) at which a\nform without integer "
        "correction is wrong; bodies is the largest N for which it is exact, with tiles of 16 bodies.\nRoots on a "
        "device round differently from those on a host, so the two ranges differ. Examples:\n  orrery lab --experiment "
        "all --quick\n  orrery lab --experiment dummy --maps lambda,rb --bodies 30720 --csv dummy.csv --svg plots\n  "
        "orrery lab --figure 001:3\n  orrery lab --experiment dummy --kernel my-map.cpp --quick\n  orrery lab "
        "--figures all --csv lab.csv");
    return [options] { return lab(*options); };
}

}  // namespace orrery
