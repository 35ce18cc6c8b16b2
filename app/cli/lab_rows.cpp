// SPDX-License-Identifier: MIT
#include "app/cli/lab_rows.hpp"

#include <algorithm>
#include <type_traits>

#include "app/cli/terminal.hpp"
#include "app/platform/machine.hpp"
#include "core/base/version.hpp"

namespace orrery {

Json lab_row(std::string_view experiment, Backend backend, const std::vector<std::string>& columns,
             const std::vector<LabValue>& row) {
    Json item{{"experiment", experiment}, {"backend", name(backend)}};
    for (std::size_t i = 0; i < row.size(); ++i) item[columns[i]] = to_json(row[i]);
    item["device"] = device_name(backend);
    item["driver"] = driver_version();
    item["compiler"] = compiler();
    item["version"] = version();
    item["commit"] = commit();
    return item;
}

std::string cell(const Json& row, const std::string& column) {
    const auto value = row.find(column);
    if (value == row.end() || value->is_null()) return {};
    return value->is_string() ? value->get<std::string>() : value->dump();
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
            if (i > 0) text += ',';
            text += csv_cell(cell(row, columns[i]));
        }
    }
    return text + '\n';
}

}  // namespace orrery
