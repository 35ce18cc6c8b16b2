// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <string_view>
#include <vector>

namespace orrery::knobs {

// Sets of setting ids for EngineEntry::knobs: what each kind of engine reads of an EngineConfig beyond the common
// settings.
using Ids = std::vector<std::string_view>;

inline Ids tiles() { return {"tile_p", "tile_u", "tile_q", "tile_k", "tile_s"}; }
inline Ids pairs() { return {"map", "root", "rows", "equal_masses"}; }
inline Ids triples() { return {"map3", "root", "rows"}; }
inline Ids tree() { return {"accuracy", "keep_accuracy", "alpha", "theta", "order", "leaf", "group"}; }

/// `ids` extended by `more`.
inline Ids with(Ids ids, std::initializer_list<std::string_view> more) {
    ids.insert(ids.end(), more);
    return ids;
}

}  // namespace orrery::knobs
