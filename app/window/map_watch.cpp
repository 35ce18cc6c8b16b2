// SPDX-License-Identifier: MIT
#include "app/window/map_watch.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/engines/map_choices.hpp"

namespace orrery {
namespace {

constexpr int kUsualSide = 256;  // ρ of a picture when neither an engine nor a person has chosen one

}  // namespace

const MapState& MapWatch::update(const Status& status, const EngineConfig& wanted) {
    if (status.bodies == 0) return state_;
    const bool was_walked = state_.walked;
    const EngineReport& report = status.engine_report;
    const bool triplets = !walks_pairs(status.engine) && !map_in_force(status.engine).empty();  // no picture of those
    state_.chosen_by_engine = map_in_force(status.engine).empty() && !report.map.empty();
    state_.walked = state_.chosen_by_engine || walks_pairs(status.engine);
    const std::string_view map = state_.chosen_by_engine ? report.map : wanted.map;
    const std::string_view root = state_.chosen_by_engine ? report.root : wanted.root;
    if (report.tile_size > 0 && !triplets)
        state_.tile_size = report.tile_size;
    else if (wanted.tile_size > 0 && !triplets)
        state_.tile_size = wanted.tile_size;
    else if (!state_.walked || !was_walked)  // else the engine was exchanged just now: its side is known in a moment
        state_.tile_size = kUsualSide;
    const auto side = static_cast<std::uint64_t>(state_.tile_size);
    const std::uint64_t rows = (status.bodies + side - 1) / side;
    if (map == map_ && root == root_ && rows == rows_) return state_;
    map_ = map, root_ = root, rows_ = rows;
    state_.picture.reset(), state_.problem.clear();
    try {
        state_.picture = std::make_shared<const MapPicture>(
            map_, root_, static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMostRows)));
    } catch (const Error& error) {
        state_.problem = error.what();
    }
    return state_;
}

}  // namespace orrery
