// SPDX-License-Identifier: MIT
// Test cases: every map of a menu with every root that it accepts.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/maps/maps.hpp"

namespace orrery::test {

template <class Entry>
struct CaseOf {
    const Entry* map;
    const RootEntry* root;
};

template <class Entry>
void PrintTo(const CaseOf<Entry>& c, std::ostream* out) {
    *out << c.map->id << ' ' << c.root->id;
}

template <class Entry>
void add_cases(std::vector<CaseOf<Entry>>& cases, const Entry& entry) {
    for (const RootEntry& root : entry.takes_root ? roots() : roots().first(1)) cases.push_back({&entry, &root});
}

template <class Entry>
std::vector<CaseOf<Entry>> every_case(std::span<const Entry> menu) {
    std::vector<CaseOf<Entry>> cases;
    for (const Entry& entry : menu) add_cases(cases, entry);
    return cases;
}

/// "lambda_grid_rsqrt"
template <class Entry>
std::string map_case_name(const ::testing::TestParamInfo<CaseOf<Entry>>& info) {
    std::string name{info.param.map->id};
    if (info.param.map->takes_root) name += '_' + std::string{info.param.root->id};
    std::ranges::replace(name, '-', '_');
    return name;
}
template <class Entry>
std::string device_case_name(const ::testing::TestParamInfo<CaseOf<Entry>>& info) {
    return map_case_name(info) + "_cuda";
}

}  // namespace orrery::test
