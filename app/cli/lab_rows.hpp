// SPDX-License-Identifier: MIT
// The laboratory's rows as JSON and CSV, shared by the command and the window.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/experiments.hpp"

namespace orrery {

using Json = nlohmann::ordered_json;

Json to_json(const LabValue& value);
/// A row with everything needed to interpret it later: experiment, backend, device, driver, compiler, version, commit.
Json lab_row(std::string_view experiment, Backend backend, const std::vector<std::string>& columns,
             const std::vector<LabValue>& row);
/// A cell as text; empty if the row lacks the column.
std::string cell(const Json& row, const std::string& column);
/// Columns in the order of their first appearance; cells that a row lacks stay empty.
std::string to_csv(const Json& rows);

}  // namespace orrery
