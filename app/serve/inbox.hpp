// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <variant>

#include "app/serve/messages.hpp"

namespace orrery {

struct DroppedFile {
    std::filesystem::path path;
};
using InputEvent =
    std::variant<PointerMoved, PointerButton, Wheel, KeyStroke, Typed, ClipboardText, ViewerSize, LetGo, DroppedFile>;
struct Input {
    InputEvent event;
    std::uint32_t driver = 0, count = 0;  ///< from whom, and how many inputs it has sent with this one
};

/// Input of the viewer who drives, on its way from the network's thread to the window's.
class Inbox {
public:
    static constexpr std::size_t kMost = 4096;  ///< that wait; further ones are dropped, except LetGo

    void add(Input input);
    std::deque<Input> take();
    /// Until something is there, at most this long. False: nothing is.
    bool wait(double seconds);
    /// Ends a wait, for something else.
    void stir();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Input> waiting_;
    bool stirred_ = false;
};

}  // namespace orrery
