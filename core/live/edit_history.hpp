// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/encounters/encounter.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// A state to which Undo or Redo comes back: all but the engine.
struct EditedState {
    Scene scene;  ///< with its bodies, time, softening, step and integrator as they were
    SceneRequest request;
    std::int64_t steps = 0;
    EncounterLedger encounters;
};

/// The states before edits, and before scenes that were loaded or restarted. Undo exchanges the present state for the
/// last of them, Redo back: nothing is lost by either. The number of steps back depends on N alone, so that a session
/// repeats it anywhere.
class EditHistory {
public:
    static constexpr std::size_t kMostStates = 100;
    static constexpr std::size_t kBudget = std::size_t{256} << 20;  ///< bytes, of both directions together

    /// Whether a state of so many bodies is kept at all.
    static bool keeps(std::size_t bodies);
    /// Before something else is done; what was undone is then forgotten.
    void add(EditedState before);
    void clear();
    /// Throw Error{kUsage} if there is none.
    const EditedState& to_undo() const;
    const EditedState& to_redo() const;
    /// After that state has been restored; `present` is what it replaced.
    void undone(EditedState present);
    void redone(EditedState present);

    /// Of the last edit, which another one of the same stroke continues; 0: none can.
    std::uint32_t stroke() const { return stroke_; }
    void set_stroke(std::uint32_t stroke) { stroke_ = stroke; }

    std::size_t undos() const { return past_.size(); }
    std::size_t redos() const { return future_.size(); }

private:
    void trim();

    std::deque<EditedState> past_, future_;  // the last is the next
    std::uint32_t stroke_ = 0;
};

}  // namespace orrery
