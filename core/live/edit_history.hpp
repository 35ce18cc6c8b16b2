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
#include "core/bodies/kept_bodies.hpp"
#include "core/simulation/scene_request.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// States of one moment: the bodies of the first are kept whole, each other one by what was changed of the one before.
struct EditedMoment {
    KeptBodies first;
    std::vector<BodyChange> changes;
};

/// A state to which Undo or Redo comes back: all but the engine.
struct EditedState {
    std::shared_ptr<const EditedMoment> moment;
    std::size_t changes = 0;  ///< of that moment, from its first state on
    Simulation::Onward onward;
    SceneRequest request;
};

/// The states before edits, and before scenes that were loaded or restarted. Undo exchanges the present state for the
/// last of them, Redo back: nothing is lost by either. Edits between which nothing moved share the bodies that they
/// leave alone, so that a hundred of them fit; others take a state each. The number of steps back depends on bodies,
/// edits and precision alone, so that a session repeats it anywhere.
class EditHistory {
public:
    static constexpr std::size_t kMostStates = 100;
    static constexpr std::size_t kBudget = std::size_t{256} << 20;  ///< bytes, of both directions together

    /// Whether a state of so many bodies is kept at all, in any precision.
    static bool keeps(std::size_t bodies);

    /// Memory for the next whole state of so many bodies is made ready on another thread: to wait for it takes longer
    /// than to fill it.
    void make_room(const Simulation& simulation);
    /// The present state; what it shares with others is shared. Takes memory that is ready, or of a state that was
    /// dropped.
    EditedState present(const Simulation& simulation, const SceneRequest& request);
    /// After `change`, from `before` or, of a stroke that goes on, from whatever was present.
    void edited(EditedState before, BodyChange change, std::uint32_t stroke, const Simulation& now);
    bool continues(std::uint32_t stroke) const { return stroke != 0 && stroke == stroke_; }
    void continued(BodyChange change, const Simulation& now);
    /// Before another scene; what was undone is then forgotten.
    void add(EditedState before);
    void clear();
    void forget();  ///< what takes more than there is room for

    /// Throw Error{kUsage} if there is none.
    const EditedState& to_undo() const;
    const EditedState& to_redo() const;
    /// Number of changes of the present moment, if bodies are still as after them and the state is of that moment;
    /// else kElsewhere.
    static constexpr std::size_t kElsewhere = static_cast<std::size_t>(-1);
    std::size_t changes_until_now(const EditedState& there, const Simulation& simulation) const;
    /// After that state has been restored; `present` is what it replaced.
    void undone(EditedState present, const Simulation& now);
    void redone(EditedState present, const Simulation& now);

    std::size_t undos() const { return past_.size(); }
    std::size_t redos() const { return future_.size(); }
    bool dropped() const { return dropped_; }  ///< older ones than these, for want of room
    std::size_t bytes() const;                 ///< that they take

private:
    /// Where the present bodies are among the states that are kept, as long as nothing moves them.
    struct Present {
        std::shared_ptr<EditedMoment> moment;  // null: nowhere
        std::size_t changes = 0;
        std::weak_ptr<const BodySystem> system;
        std::uint64_t motions = 0;
    };
    bool is_known(const Simulation& simulation) const;
    void stands(std::shared_ptr<const EditedMoment> moment, std::size_t changes, const Simulation& now);
    void append(BodyChange change, const Simulation& now);
    void trim();
    void drop(std::deque<EditedState>& from);

    std::deque<EditedState> past_, future_;  // the last is the next
    Present present_;
    std::uint32_t stroke_ = 0;  // of the last edit, which another one of the same stroke continues; 0: none can
    bool dropped_ = false;      // older states than those of past_, for want of room
    KeptBodies spare_;
    std::future<KeptBodies> coming_;  // the next spare one
};

}  // namespace orrery
