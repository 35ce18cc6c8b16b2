// SPDX-License-Identifier: MIT
// The menu of the laboratory: measurements of the maps, after the papers.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/engines/engine.hpp"

namespace orrery {

/// Nothing: there is no such number here.
using LabValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// What an experiment found. Names of columns are those that scripts rely on.
struct LabTable {
    std::vector<std::string> columns;
    std::vector<std::vector<LabValue>> rows;  ///< each as long as `columns`
};

struct LabConfig {
    Backend backend = Backend::kCpu;
};
/// Hears how far it is: so many of so many, and what comes next.
using LabProgress = std::function<void(std::uint64_t done, std::uint64_t total, const std::string& next)>;

/// A line of the menu. `orrery lab`, `orrery list` and the tests read it.
struct LabEntry {
    std::string_view id, label, doc;
    LabTable (*run)(const LabConfig& config, const LabProgress& progress);
};

std::span<const LabEntry> experiments();

LabEntry exactness_experiment();  ///< core/lab/exactness.cpp

}  // namespace orrery
