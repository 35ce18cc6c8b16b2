// SPDX-License-Identifier: MIT
#include "app/serve/inbox.hpp"

#include <chrono>
#include <utility>

namespace orrery {
namespace {

/// Only the newest position of a moving mouse counts.
bool replaces(const Input& newer, const Input& older) {
    return std::holds_alternative<PointerMoved>(newer.event) && std::holds_alternative<PointerMoved>(older.event);
}

}  // namespace

void Inbox::add(Input input) {
    const std::lock_guard lock{mutex_};
    if (!waiting_.empty() && replaces(input, waiting_.back()))
        waiting_.back() = std::move(input);
    else if (waiting_.size() < kMost || std::holds_alternative<LetGo>(input.event))
        waiting_.push_back(std::move(input));
    changed_.notify_all();
}

std::deque<Input> Inbox::take() {
    const std::lock_guard lock{mutex_};
    return std::exchange(waiting_, {});
}

bool Inbox::wait(double seconds) {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !waiting_.empty() || needs_redraw_; });
    return std::exchange(needs_redraw_, false) || !waiting_.empty();
}

void Inbox::wake() {
    const std::lock_guard lock{mutex_};
    needs_redraw_ = true;
    changed_.notify_all();
}

}  // namespace orrery
