// SPDX-License-Identifier: MIT
// Body systems controlled by one rank: interactive programs (window, recording) run on rank 0 only, and the other ranks
// repeat its calls on their copies of the bodies.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "core/bodies/body_system.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

/// Rank 0 creates this object while the other ranks are in run_follower(). During its lifetime make_body_system() with
/// these ranks creates the system on all of them, and calls that change bodies or need forces are repeated on all.
/// Systems created meanwhile must not outlive it. One thread at a time.
class RankLeader {
public:
    explicit RankLeader(Ranks& ranks);
    RankLeader(const RankLeader&) = delete;
    RankLeader& operator=(const RankLeader&) = delete;
    ~RankLeader();  ///< makes run_follower() return

    std::uint32_t next_number() { return next_++; }

private:
    Ranks& ranks_;
    std::uint32_t next_ = 0;
};

/// On all other ranks: repeats the calls of rank 0 until its RankLeader is destroyed. Throws if an operation fails only
/// on this rank.
void run_follower(Ranks& ranks);

/// See make_body_system(); `ranks` must have a RankLeader. An engine that does not share work is created only on this
/// rank. Failures on all ranks, or during creation, throw here and leave all ranks unchanged; a later failure of a
/// single rank ends all.
std::unique_ptr<BodySystem> make_distributed_body_system(const EngineConfig& config, const Bodies& bodies,
                                                         Urgency urgency, Ranks& ranks);

// Collective checks. Each rank reads its files itself, and on a cluster files of the same name may differ.

/// Throws Error{kUsage} on all ranks if one has other bodies than rank 0.
void require_same_bodies(Ranks& ranks, const Bodies& bodies);
/// Same for other numbers from a file: dt, softening and so on.
void require_same_numbers(Ranks& ranks, std::span<const double> numbers);

}  // namespace orrery
