// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace orrery {

/// What closing the window would put an end to, as a question.
struct LeaveQuestion {
    std::string text, leave;  ///< what is lost, and the words of the button that closes; empty text: nothing is asked
    bool may_save = false;    ///< the bodies can be kept
    bool asked() const { return !text.empty(); }
    friend bool operator==(const LeaveQuestion&, const LeaveQuestion&) = default;
};
enum class LeaveAnswer : std::uint8_t { kStay, kLeave, kSaveAndLeave };

/// The bodies of a window that has not been closed properly.
struct KeptState {
    std::string path;  ///< empty: there are none
    std::string text;  ///< "saved at 14:32, 12 MB"
};
enum class KeptAnswer : std::uint8_t { kGoOn, kDiscard };

}  // namespace orrery
