// SPDX-License-Identifier: MIT
#include "core/live/edit_history.hpp"

#include <numeric>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t kBytesOfBody = sizeof(Vec4d) + sizeof(Vec3d);  // names are few where there are any

std::size_t bytes_of(const std::deque<EditedState>& states) {
    return std::accumulate(states.begin(), states.end(), std::size_t{0}, [](std::size_t sum, const EditedState& each) {
        return sum + kBytesOfBody * each.scene.bodies.size();
    });
}

}  // namespace

bool EditHistory::keeps(std::size_t bodies) { return kBytesOfBody * bodies <= kBudget; }

void EditHistory::add(EditedState before) {
    stroke_ = 0;
    future_.clear();
    past_.push_back(std::move(before));
    trim();
}

void EditHistory::clear() {
    stroke_ = 0;
    past_.clear();
    future_.clear();
}

const EditedState& EditHistory::to_undo() const {
    if (past_.empty()) usage_error("there is nothing to undo");
    return past_.back();
}

const EditedState& EditHistory::to_redo() const {
    if (future_.empty()) usage_error("there is nothing to redo");
    return future_.back();
}

void EditHistory::undone(EditedState present) {
    stroke_ = 0;
    past_.pop_back();
    future_.push_back(std::move(present));
    trim();
}

void EditHistory::redone(EditedState present) {
    stroke_ = 0;
    future_.pop_back();
    past_.push_back(std::move(present));
    trim();
}

/// The oldest go first; of what was undone, the last to come back.
void EditHistory::trim() {
    while (past_.size() + future_.size() > kMostStates || bytes_of(past_) + bytes_of(future_) > kBudget)
        (past_.empty() ? future_ : past_).pop_front();
}

}  // namespace orrery
