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
    std::uint32_t controller = 0, count = 0;  ///< its id, and the number of inputs it has sent, including this one
};

/// Input of the controller, passed from the network thread to the window's thread.
class Inbox {
public:
    static constexpr std::size_t kMost = 4096;  ///< maximum number waiting; further ones are dropped, except LetGo

    void add(Input input);
    std::deque<Input> take();
    /// Waits at most this long for input. Returns false if there is none and wake() was not called.
    bool wait(double seconds);
    /// Ends a wait for another reason.
    void wake();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Input> waiting_;
    bool needs_redraw_ = false;
};

}  // namespace orrery
