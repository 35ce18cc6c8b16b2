// SPDX-License-Identifier: MIT
// What the rank that leads announces to those that follow, see led_system.hpp.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/precision.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/moves.hpp"
#include "core/engines/config.hpp"
#include "core/physics/block_steps.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/potential.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

/// What rank 0 announces: a call and its arguments, each call has its own.
struct LedOrder {
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
        kScaleAcceptance,
        kLeave
    };

    static constexpr std::size_t kMostMoves = 8;

    Call call = Call::kLeave;
    std::uint32_t system = 0;  ///< its number
    std::array<Move, kMostMoves> moves{};
    std::uint64_t count = 0;  ///< of moves, bodies, or bytes that follow
    Urgency urgency = Urgency::kUsual;
    Gravity gravity{};
    Potential potential = Potential::kSkip;
    bool due = false;
    std::uint64_t last = 0, items = 0;  ///< of the evaluation of rank 0: up to `last` of so many
    StepRule rule{};
    Precision precision = Precision::kSingle;
    std::uint64_t bodies = 0, key = 0, charges = 0;
    double factor = 1;
};
static_assert(std::is_trivially_copyable_v<LedOrder>);

inline void announce(Ranks& ranks, LedOrder& order) { ranks.announce(std::as_writable_bytes(std::span{&order, 1})); }

template <class T>
void broadcast(Ranks& ranks, std::vector<T>& values, std::size_t count) {
    values.resize(count);
    ranks.broadcast(std::as_writable_bytes(std::span{values}), 0);
}
/// The same from rank 0, where they are whole.
template <class T>
void broadcast(Ranks& ranks, const std::vector<T>& values) {
    // It only reads them there.
    ranks.broadcast(std::as_writable_bytes(std::span{const_cast<T*>(values.data()), values.size()}), 0);
}

/// Of any length, known to rank `from` alone.
std::string broadcast(Ranks& ranks, std::string text, int from);

/// All settings, to the bit, and what engine_of() reads.
std::string text_of(const EngineConfig& config);
EngineConfig engine_of(const std::string& text);

}  // namespace orrery
