// SPDX-License-Identifier: MIT
// Commands that rank 0 sends to its followers, see distributed_body_system.hpp.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/backend.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/moves.hpp"
#include "core/engines/config.hpp"
#include "core/physics/block_steps.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/potential.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

/// A call and its arguments; each call uses some of the fields.
struct RankCommand {
    enum class Call : std::uint32_t {
        kMake,
        kEnd,
        kMove,
        kForces,
        kJerkForces,
        kRunForces,
        kDueForces,
        kBeginSteps,
        kPredict,
        kCorrect,
        kAbandonSteps,
        kRestore,
        kRestoreHistory,
        kForgetHistory,
        kScaleAcceptance,
        kLeave
    };

    static constexpr std::size_t kMostMoves = 8;

    Call call = Call::kLeave;
    std::uint32_t system = 0;  ///< number of the body system
    std::array<Move, kMostMoves> moves{};
    std::uint64_t count = 0;  ///< of moves, of bodies, or of bytes sent after this command
    Urgency urgency = Urgency::kNormal;
    Gravity gravity{};
    Potential potential = Potential::kSkip;
    bool due = false;
    std::uint64_t last = 0, items = 0;  ///< items done and in total, of rank 0's evaluation
    StepRule rule{};
    Precision precision = Precision::kSingle;
    std::uint64_t bodies = 0, key = 0, charges = 0;
    double factor = 1;
};
static_assert(std::is_trivially_copyable_v<RankCommand>);

inline void announce(Ranks& ranks, RankCommand& command) {
    ranks.announce(std::as_writable_bytes(std::span{&command, 1}));
}

template <class T>
void broadcast(Ranks& ranks, std::vector<T>& values, std::size_t count) {
    values.resize(count);
    ranks.broadcast(std::as_writable_bytes(std::span{values}), 0);
}
/// Broadcasts from rank 0, which has all values.
template <class T>
void broadcast(Ranks& ranks, const std::vector<T>& values) {
    // Rank 0 only reads them.
    ranks.broadcast(std::as_writable_bytes(std::span{const_cast<T*>(values.data()), values.size()}), 0);
}

/// Broadcasts a text of any length from rank `from`.
std::string broadcast(Ranks& ranks, std::string text, int from);

/// All settings, bit for bit, in the format of engine_of().
std::string text_of(const EngineConfig& config);
EngineConfig engine_of(const std::string& text);

}  // namespace orrery
