// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "core/bodies/body_change.hpp"
#include "core/bodies/body_state.hpp"
#include "core/simulation/scene_request.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// States of one moment: the bodies of the first one, and the change from each state to the next.
struct EditedMoment {
    BodyBackup first;
    std::vector<BodyChange> changes;
};

/// A state for Undo or Redo: everything but the engine.
struct EditedState {
    std::shared_ptr<const EditedMoment> moment;
    std::size_t changes = 0;  ///< number of changes of that moment to apply
    Simulation::Continuation continuation;
    SceneRequest request;
};

/// The states before edits and scene changes. Undo exchanges the present state for the last of them, Redo for the one
/// undone; nothing is lost. Edits without motion in between share unchanged bodies, so that a hundred of them fit;
/// others need a whole state each. The number of states depends only on bodies, edits and precision, so that a session
/// replays identically anywhere.
class EditHistory {
public:
    static constexpr std::size_t kMostStates = 100;
    static constexpr std::size_t kBudget = std::size_t{256} << 20;  ///< bytes, undo and redo together

    /// True if a state of this many bodies can be stored, in any precision.
    static bool keeps(std::size_t bodies);

    /// Allocates memory for the next whole state on another thread: page faults take longer than filling it.
    void make_room(const Simulation& simulation);
    /// The present state, sharing data with others where possible. Uses prepared memory, or that of a dropped state.
    EditedState present(Simulation& simulation, const SceneRequest& request);
    /// Call after `change`. `before` is the previous state; within a stroke it may be anything.
    void edited(EditedState before, BodyChange change, std::uint32_t stroke, const Simulation& now);
    bool continues(std::uint32_t stroke) const { return stroke != 0 && stroke == stroke_; }
    void continued(BodyChange change, const Simulation& now);
    /// Call before another scene; clears the redo states.
    void add(EditedState before);
    void clear();
    void forget();  ///< clears, because an edit did not fit

    /// Throw Error{kUsage} if there is none.
    const EditedState& to_undo() const;
    const EditedState& to_redo() const;
    /// Number of changes applied to the present moment, if the bodies have not moved since and the state belongs to
    /// that moment; otherwise kElsewhere.
    static constexpr std::size_t kElsewhere = static_cast<std::size_t>(-1);
    std::size_t changes_until_now(const EditedState& there, const Simulation& simulation) const;
    /// Call after that state has been restored; `present` is the state it replaced.
    void undone(EditedState present, const Simulation& now);
    void redone(EditedState present, const Simulation& now);

    std::size_t undos() const { return past_.size(); }
    std::size_t redos() const { return future_.size(); }
    bool dropped() const { return dropped_; }  ///< older states were dropped for lack of memory
    std::size_t bytes() const;                 ///< memory in use

private:
    /// Identifies the present bodies among the stored states, until something moves them.
    struct Present {
        std::shared_ptr<EditedMoment> moment;  // null: not stored
        std::size_t changes = 0;
        std::weak_ptr<const BodySystem> system;
        std::uint64_t motions = 0;
    };
    bool is_known(const Simulation& simulation) const;
    void stands(std::shared_ptr<const EditedMoment> moment, std::size_t changes, const Simulation& now);
    void exchange(std::deque<EditedState>& from, std::deque<EditedState>& to, EditedState present,
                  const Simulation& now);
    void append(BodyChange change, const Simulation& now);
    void trim();
    void drop(std::deque<EditedState>& from);

    std::deque<EditedState> past_, future_;  // the last element is the next one
    Present present_;
    std::uint32_t stroke_ = 0;  // of the last edit; an edit of the same stroke continues it; 0: none
    bool dropped_ = false;      // states older than past_ were dropped for lack of memory
    BodyBackup spare_;
    std::future<BodyBackup> coming_;  // the next spare one
};

}  // namespace orrery
