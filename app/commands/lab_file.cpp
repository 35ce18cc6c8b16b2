// SPDX-License-Identifier: MIT
#include "app/commands/lab_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/cli/options.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

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
          "order",      "tile_p",  "tile_q",     "tile_u", "tile_s",     "device",  "commit"})
        if (std::string_view{key} != "bodies" || !by_result) settings += cell(row, key) + '\n';
    return settings;
}

}  // namespace

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
    OutputFile file{path_};
    file.write(to_csv(rows_));
    file.commit();
    written_ = now();
}

}  // namespace orrery
