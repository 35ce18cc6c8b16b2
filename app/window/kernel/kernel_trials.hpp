// SPDX-License-Identifier: MIT
// The work on a kernel that takes longer than a frame, on threads.
#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/window/kernel/kernel_page.hpp"
#include "core/live/status.hpp"

namespace orrery {

inline constexpr std::uint32_t kJudgedRows = 4096;  ///< up to which a map is judged after its trial

/// A text to be compiled and tried.
struct KernelTrial {
    std::string text, name;
    bool trusted = false;  ///< the user of this machine gave the text
    std::chrono::system_clock::time_point since;
};
/// The result of a trial.
struct KernelTried {
    KernelTrial trial;
    KernelFile file;               ///< parsed
    KernelFault fault;             ///< empty: it passed
    std::optional<MapReport> map;  ///< of a thread map, for few rows
};

// Unlike those of a BackgroundJob, these threads have the priority of the window, because a user waits for them while
// the simulation uses all cores.

/// Compiles and tries one kernel at a time; a newer text replaces one that has not begun.
class KernelTrials {
public:
    void start(KernelTrial trial);
    /// The result of the last start(), once.
    std::optional<KernelTried> take();
    bool busy() const { return running_.valid(); }

private:
    std::future<KernelTried> running_;
    std::optional<KernelTrial> next_;
};

/// A kernel that passed its trial, and the bodies to compare it with.
struct KernelCase {
    KernelFile file;
    std::shared_ptr<const TakenBodies> bodies;
};
struct KernelJudgement {
    std::string text;     ///< of the kernel
    std::string failure;  ///< why there is no verdict, or no time; one line
    std::optional<ForceVerdict> force;
    std::optional<MapReport> map;
};

/// Compares one kernel at a time, then times it.
class KernelJudge {
public:
    void start(KernelCase kernel);
    void forget();  ///< the results of the last start()
    /// The results of the last start() so far, if they have changed since the last call.
    std::optional<KernelJudgement> take();
    bool busy() const { return running_.valid(); }

private:
    void begin();

    std::optional<KernelCase> now_, next_;  // now_: being judged; empty: its results are not wanted
    std::future<KernelJudgement> running_;
};

}  // namespace orrery
