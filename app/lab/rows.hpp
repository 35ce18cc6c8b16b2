// SPDX-License-Identifier: MIT
// The laboratory's rows as JSON and CSV: the same from the command and from the window.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/experiments.hpp"

namespace orrery {

using Json = nlohmann::ordered_json;

Json to_json(const LabValue& value);
/// A row with all that it needs to be understood later: experiment, backend, device, driver, compiler, version, commit.
Json lab_row(std::string_view experiment, Backend backend, const std::vector<std::string>& columns,
             const std::vector<LabValue>& row);
/// A cell as text; empty where there is none.
std::string cell(const Json& row, const std::string& column);
/// Columns in the order in which they first appear; what a row does not have stays empty.
std::string to_csv(const Json& rows);

}  // namespace orrery
