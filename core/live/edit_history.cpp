// SPDX-License-Identifier: MIT
#include "core/live/edit_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// A change larger than this fraction of a whole state is stored as a whole state.
constexpr std::size_t kFewerThan = 4;

std::size_t bytes_of(const EditedMoment& moment) {
    std::size_t bytes = moment.first.bytes();
    for (const BodyChange& change : moment.changes) bytes += change.bytes();
    return bytes;
}

/// Rounds as a system in single precision does.
void round_to_single(Bodies& bodies) {
    for (Vec4d& body : bodies.position_mass) body = convert<double>(convert<float>(body));
    for (Vec3d& v : bodies.velocity) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
}

}  // namespace

bool EditHistory::keeps(std::size_t bodies) { return BodyBackup::bytes_of(Precision::kDouble, bodies) <= kBudget; }

bool EditHistory::is_known(const Simulation& simulation) const {
    return present_.moment && present_.system.lock().get() == &simulation.system() &&
           present_.motions == simulation.now().motions && !simulation.within_step();
}

void EditHistory::stands(std::shared_ptr<const EditedMoment> moment, std::size_t changes, const Simulation& now) {
    // The moments are created non-const in present().
    present_ = {std::const_pointer_cast<EditedMoment>(std::move(moment)), changes, now.system().weak_from_this(),
                now.now().motions};
}

void EditHistory::make_room(const Simulation& simulation) {
    constexpr std::size_t kWorthIt = std::size_t{1} << 20, kPage = 4096;
    const Precision precision = of_state(simulation.engine_config().precision);
    const std::size_t count = simulation.system().count(), bytes = BodyBackup::bytes_of(precision, count);
    if (!keeps(count) || bytes < kWorthIt || spare_.bytes() == bytes || coming_.valid()) return;
    if (this->bytes() + bytes > kBudget) return;  // the memory of a dropped state will be reused
    coming_ = std::async(std::launch::async, [precision, count] {
        BodyBackup room{precision, count, BodyBackup{}};
        auto* const memory = reinterpret_cast<std::byte*>(room.position_mass<float>());
        for (std::size_t at = 0; at < room.bytes(); at += kPage) memory[at] = std::byte{};
        return room;
    });
}

EditedState EditHistory::present(Simulation& simulation, const SceneRequest& request) {
    EditedState state{
        .continuation = {present_settings(simulation), simulation.now().steps, simulation.encounters().log().ledger},
        .request = request};
    if (!is_known(simulation)) {
        if (coming_.valid()) spare_ = coming_.get();
        stands(std::make_shared<EditedMoment>(EditedMoment{backup_of(simulation, std::exchange(spare_, {})), {}}), 0,
               simulation);
        make_room(simulation);
    }
    state.moment = present_.moment, state.changes = present_.changes;
    return state;
}

void EditHistory::edited(EditedState before, BodyChange change, std::uint32_t stroke, const Simulation& now) {
    future_.clear();
    past_.push_back(std::move(before));
    append(std::move(change), now);
    trim();
    stroke_ = stroke;
}

void EditHistory::continued(BodyChange change, const Simulation& now) {
    append(std::move(change), now);
    trim();
}

/// Appends to the current moment if the bodies have not moved since, and the changes are small.
void EditHistory::append(BodyChange change, const Simulation& now) {
    Present before = std::exchange(present_, {});
    if (!before.moment) return;
    if (of_state(now.engine_config().precision) == Precision::kSingle) round_to_single(change.after);
    auto& changes = before.moment->changes;
    changes.resize(before.changes);  // drops undone changes
    std::size_t kept = 0;            // changes that past states need
    for (const EditedState& state : past_)
        if (state.moment == before.moment) kept = std::max(kept, state.changes);
    std::size_t bytes = change.bytes();
    for (std::size_t i = kept; i < changes.size(); ++i) bytes += changes[i].bytes();
    if (bytes > before.moment->first.bytes() / kFewerThan + sizeof(BodyChange) * kMostStates)
        return changes.resize(kept);
    changes.push_back(std::move(change));
    stands(before.moment, changes.size(), now);
}

void EditHistory::add(EditedState before) {
    stroke_ = 0;
    future_.clear();
    past_.push_back(std::move(before));
    present_ = {};
    trim();
}

void EditHistory::clear() {
    stroke_ = 0;
    dropped_ = false;
    past_.clear(), future_.clear();
    present_ = {}, spare_ = {}, coming_ = {};
}

void EditHistory::forget() {
    clear();
    dropped_ = true;
}

const EditedState& EditHistory::to_undo() const {
    if (past_.empty() && dropped_)
        usage_error(
            fmt::format("older states were dropped: at most {} are kept, in {} MiB", kMostStates, kBudget >> 20));
    if (past_.empty()) usage_error("there is nothing to undo");
    return past_.back();
}

const EditedState& EditHistory::to_redo() const {
    if (future_.empty()) usage_error("there is nothing to redo");
    return future_.back();
}

std::size_t EditHistory::changes_until_now(const EditedState& there, const Simulation& simulation) const {
    return is_known(simulation) && present_.moment == there.moment ? present_.changes : kElsewhere;
}

void EditHistory::undone(EditedState present, const Simulation& now) {
    exchange(past_, future_, std::move(present), now);
}
void EditHistory::redone(EditedState present, const Simulation& now) {
    exchange(future_, past_, std::move(present), now);
}

void EditHistory::exchange(std::deque<EditedState>& from, std::deque<EditedState>& to, EditedState present,
                           const Simulation& now) {
    stroke_ = 0;
    stands(from.back().moment, from.back().changes, now);
    from.pop_back();
    to.push_back(std::move(present));
    trim();
}

std::size_t EditHistory::bytes() const {
    std::set<const EditedMoment*> moments;
    for (const auto* states : {&past_, &future_})
        for (const EditedState& state : *states) moments.insert(state.moment.get());
    std::size_t bytes = 0;
    for (const EditedMoment* moment : moments) bytes += bytes_of(*moment);
    return bytes;
}

/// Drops the oldest states first; of undone ones, those that would be restored last.
void EditHistory::trim() {
    while (past_.size() + future_.size() > kMostStates || bytes() > kBudget) {
        dropped_ = dropped_ || !past_.empty();
        drop(past_.empty() ? future_ : past_);
    }
}

/// Keeps the memory of a whole state for the next.
void EditHistory::drop(std::deque<EditedState>& from) {
    auto last = std::const_pointer_cast<EditedMoment>(std::exchange(from.front().moment, nullptr));
    from.pop_front();
    if (last.use_count() == 1 && !coming_.valid()) spare_ = std::move(last->first);
}

}  // namespace orrery
