// SPDX-License-Identifier: MIT
// Bodies that one rank moves for all: programs that somebody steers (a window, a recording) run on the first rank
// alone, and the others repeat what it asks of its bodies.
#pragma once
#include <cstdint>
#include <memory>

#include "core/bodies/body_system.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

/// On rank 0, while it lives: what make_body_system() makes with these ranks is made by all of them, and what is then
/// asked of it that changes bodies or needs forces is asked of all. The other ranks are within follow(). What is made
/// meanwhile must not outlive it; one thread at a time.
class Lead {
public:
    explicit Lead(Ranks& ranks);
    Lead(const Lead&) = delete;
    Lead& operator=(const Lead&) = delete;
    ~Lead();  ///< follow() returns

    std::uint32_t next_number() { return next_++; }

private:
    Ranks& ranks_;
    std::uint32_t next_ = 0;
};

/// On all other ranks: does as the first one does, until its Lead ends. Throws what goes wrong here but not there.
void follow(Ranks& ranks);

/// See make_body_system(); `ranks` has a Lead. An engine that shares nothing is made on this rank alone. What fails on
/// all ranks, or while they make it, throws here and leaves all as they were; what later fails on one alone ends all.
std::unique_ptr<BodySystem> make_led_system(const EngineConfig& config, const Bodies& bodies, Urgency urgency,
                                            Ranks& ranks);

}  // namespace orrery
