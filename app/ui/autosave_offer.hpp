// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

enum class LeaveAnswer : std::uint8_t { kStay, kLeave, kSaveAndLeave };

/// What closing the window would put an end to, as a question.
struct LeaveQuestion {
    std::string text;                        ///< one line for each loss; empty: the window may close without a question
    std::string leave;                       ///< words of the button that closes
    bool may_save = false;                   ///< the bodies can be kept
    LeaveAnswer enter = LeaveAnswer::kStay;  ///< what key Enter does: it loses nothing
    bool asked() const { return !text.empty(); }
    friend bool operator==(const LeaveQuestion&, const LeaveQuestion&) = default;
};

/// The bodies of a window that has not been closed properly.
struct KeptState {
    std::string path;
    std::string text;     ///< "saved at 14:32, 12 MB"
    std::string problem;  ///< why it cannot be opened; empty: it can
};
/// What is done with one of them.
struct KeptAnswer {
    std::string path;
    bool go_on = false;  ///< false: its file is removed
};

}  // namespace orrery
