// SPDX-License-Identifier: MIT
#include "app/window/selection/selection_control.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/ui/words.hpp"
#include "app/window/recording/window_recording.hpp"
#include "app/window/window_parts.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/id_file.hpp"

namespace orrery {
namespace {

const Frame& frame_of(WindowParts& window) { return window.core.simulation.frame(); }

Identities identities(const Frame& frame) {
    Identities of{.bodies = frame.count};
    if (frame.words && frame.words->all_ids && frame.words->all_ids->size() == frame.count)
        of.ids = *frame.words->all_ids;
    return of;
}

BodySet selected(WindowParts& window) {
    const std::size_t bodies = frame_of(window).count;
    const Picked& picked = window.core.state.hand.picked;
    return picked ? BodySet::of_rows(bodies, *picked) : BodySet{bodies};
}

void select(WindowParts& window, const BodySet& set) {
    std::vector<std::uint32_t> rows = set.rows();
    if (rows.empty()) window.core.messages.notice("No body is selected", "selection");
    window.hand.pick(rows.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(rows)));
}

std::shared_ptr<const std::vector<float>> filter_of(const Frame& frame) {
    return frame.words && frame.words->shown && frame.words->shown->size() == frame.count ? frame.words->shown
                                                                                          : nullptr;
}

}  // namespace

void SelectionControl::update() {
    const auto values = filter_of(frame_of(window_));
    if (values == counted_) return;
    counted_ = values;
    window_.core.state.own.of<SelectionState>().satisfy =
        values ? static_cast<std::size_t>(std::ranges::count(*values, 1.0f)) : 0;
}

void SelectionControl::end_frame() {
    SelectionState& page = window_.core.state.own.of<SelectionState>();
    for (const SetRequest& request : std::exchange(page.requests, {}))
        window_.core.messages.attempt([&] { carry_out(request); });
}

void SelectionControl::carry_out(const SetRequest& request) {
    NamedSets& sets = window_.core.state.own.of<SelectionState>().sets;
    const Identities of = identities(frame_of(window_));
    switch (request.kind) {
        case SetRequest::Kind::kStore:
            return sets.store(request.text, selected(window_), of);
        case SetRequest::Kind::kChoose:
            return select(window_, sets.set(request.text, of));
        case SetRequest::Kind::kErase:
            return sets.erase(request.text);
        case SetRequest::Kind::kCombine:
            return select(window_, sets.combined(request.text, of));
    }
}

void SelectionControl::select_filtered(WindowParts& window) {
    const auto values = filter_of(frame_of(window));
    if (!values) return window.core.messages.notice("There is no filter: type one on the page Selection", "selection");
    select(window, BodySet::of_values(*values));
}

void SelectionControl::invert(WindowParts& window) { select(window, ~selected(window)); }

void SelectionControl::export_snapshot(WindowParts& window) {
    const Picked& picked = window.core.state.hand.picked;
    if (!picked) return window.core.messages.notice("No body is selected", "selection");
    const std::string name = name_by_time(hdf5::kWhyNot.empty() ? "-selection.h5" : "-selection.csv");
    window.core.simulation.send(SaveState{.path = std::filesystem::absolute(name).string(), .only = picked});
}

void SelectionControl::export_ids(WindowParts& window) {
    if (!window.core.state.hand.picked) return window.core.messages.notice("No body is selected", "selection");
    window.exports.text("Ids", "-selection.ids", ids_text(members_of(selected(window), identities(frame_of(window)))));
}

}  // namespace orrery
