// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

enum class LeaveAnswer : std::uint8_t { kStay, kLeave, kSaveAndLeave };

/// The question asked before closing the window, naming what would be lost.
struct LeaveQuestion {
    std::string text;                        ///< one line per loss; empty: the window may close without a question
    std::string leave;                       ///< label of the button that closes
    bool may_save = false;                   ///< the bodies can be saved
    LeaveAnswer enter = LeaveAnswer::kStay;  ///< answer of the Enter key: it loses nothing
    bool asked() const { return !text.empty(); }
    friend bool operator==(const LeaveQuestion&, const LeaveQuestion&) = default;
};

/// Bodies saved automatically by a window that was not closed properly.
struct AutosaveOffer {
    std::string path;
    std::string text;     ///< "saved at 14:32, 12 MB"
    std::string problem;  ///< why it cannot be opened; empty if it can
};
/// The user's answer to an offer.
struct AutosaveAnswer {
    std::string path;
    bool open = false;  ///< true: continue with these bodies; false: remove the file
};

}  // namespace orrery
