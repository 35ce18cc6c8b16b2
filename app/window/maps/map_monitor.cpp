// SPDX-License-Identifier: MIT
#include "app/window/maps/map_monitor.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engines/choices.hpp"

namespace orrery {
namespace {

constexpr int kDefaultSide = 256;  // ρ of a picture if neither the engine nor the user has chosen one

}  // namespace

void MapMonitor::display(const DisplayedMap& map, const EngineConfig& wanted) {
    displayed_ = map;
    engine_map_ = {wanted.map, wanted.root};
}

std::string MapMonitor::refusal(const EngineConfig& wanted, std::uint32_t rows) const {
    try {
        require_exact(orrery::map(displayed_->map), root(displayed_->root), rows, wanted.backend);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void MapMonitor::update_triples(const Status& status, const EngineConfig& wanted) {
    const auto side = static_cast<std::uint64_t>(std::max(1, status.engine.report.tile_size));
    state_.layers = (status.bodies + side - 1) / side;
    const auto drawn = static_cast<std::uint32_t>(std::min<std::uint64_t>(state_.layers, kMostDrawnLayers));
    const auto& old = state_.picture3;
    if (old && old->map() == wanted.map3 && old->root() == wanted.root && old->side() == drawn) return;
    state_.picture3 = std::make_shared<const Map3Picture>(wanted.map3, wanted.root, drawn);
}

const MapState& MapMonitor::update(const Status& status, const EngineConfig& wanted) {
    if (status.bodies == 0) return state_;
    const bool was_walked = state_.walked;
    const EngineReport& report = status.engine.report;
    const bool triplets = !walks_pairs(status.engine.config) && !map_in_force(status.engine.config).empty();
    if (triplets && report.tile_size > 0)
        update_triples(status, wanted);
    else
        state_.picture3.reset();
    state_.chosen_by_engine = map_in_force(status.engine.config).empty() && !report.map.empty();
    const bool own_map = !kernel_in_force(status.engine.config).empty();  // of a kernel file: the page Kernel draws it
    state_.walked = !own_map && (state_.chosen_by_engine || walks_pairs(status.engine.config));
    std::string_view map = state_.chosen_by_engine ? report.map : wanted.map;
    std::string_view root = state_.chosen_by_engine ? report.root : wanted.root;
    if (report.tile_size > 0 && !triplets)
        state_.tile_size = report.tile_size;
    else if (wanted.tile_size > 0 && !triplets)
        state_.tile_size = wanted.tile_size;
    else if (!state_.walked || !was_walked)  // else the new engine will report its tile size shortly
        state_.tile_size = kDefaultSide;
    const auto side = static_cast<std::uint64_t>(state_.tile_size);
    const std::uint64_t rows = (status.bodies + side - 1) / side;
    state_.refused.clear();
    if (displayed_ && engine_map_ == DisplayedMap{wanted.map, wanted.root})
        state_.refused = refusal(wanted, static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMostRows)));
    if (state_.refused.empty())
        displayed_.reset();
    else
        map = displayed_->map, root = displayed_->root;
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

void MapWalk::advance(double seconds, double blocks) {
    if (!playing || blocks < 1) return;
    at += seconds * speed;
    if (at >= blocks + speed) at = 0;
}

void MapWalk::step(int by, double blocks) {
    if (blocks < 1) return;
    at = on ? std::floor(std::min(at, blocks - 1)) + by : 0;
    if (at < 0) at = blocks - 1;
    if (at >= blocks) at = 0;
    on = true, playing = false;
}

double MapLesson::blocks(const MapState& shown) const {
    if (shown.picture3) return shown.picture3->blocks();
    if (!shown.picture) return 0;
    return std::max(shown.picture->blocks(), picture ? picture->blocks() : 0);
}

void MapsControl::update_lesson(MapLesson& lesson) const {
    const UiState& state = core_.state;
    const auto& first = state.maps.shown.picture;
    if (lesson.second.empty() || !first) {
        lesson.picture.reset();
    } else if (!lesson.picture || lesson.picture->map() != lesson.second || lesson.picture->root() != first->root() ||
               lesson.picture->rows() != first->rows()) {
        lesson.picture = std::make_shared<const MapPicture>(lesson.second, first->root(), first->rows());
    }
    if (state.layout.panel == "maps") lesson.walk.advance(core_.clock.frame_seconds(), lesson.blocks(state.maps.shown));
}

void MapsControl::update() {
    UiState& state = core_.state;
    state.maps.shown = monitor_.update(state.status, state.requested.engine);
    update_lesson(state.own.of<MapLesson>());
    tried_.update(state.status);
    state.maps.tried = tried_.list();
}

void MapsControl::apply(const UiRequests& requests) {
    const MapsRequest& request = requests.maps;
    core_.state.maps.hover = request.hover;
    core_.state.maps.worked = request.worked;
    if (request.forget_tried) tried_.clear();
    if (request.display) monitor_.display(*request.display, core_.simulation.engine());
}

}  // namespace orrery
