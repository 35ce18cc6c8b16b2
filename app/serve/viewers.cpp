// SPDX-License-Identifier: MIT
#include "app/serve/viewers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace orrery {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLeastWindow = 2, kMostWindow = 16;
constexpr double kBurst = 0.25;          // seconds of the limit that may be saved up
constexpr double kWaits = 0.08;          // seconds above the shortest round trip: frames are queued somewhere
constexpr double kFlows = 0.03;          // seconds above it: no frames are queued
constexpr double kBetweenChanges = 0.2;  // s
constexpr auto kQuickestHolds = 30s;     // afterwards, the route may have changed

}  // namespace

Pacing::Pacing(double limit)
    : limit_{limit}, rate_{limit > 0 ? std::min(limit, kFirst) : kFirst}, budget_{limit * kBurst} {
    filled_ = measured_ = quickest_at_ = Clock::now();
}

void Pacing::refill(Clock::time_point now) {
    budget_ = std::min(budget_ + limit_ * seconds_of(now - filled_), limit_ * kBurst);
    filled_ = now;
}

bool Pacing::may_send(Clock::time_point now) {
    if (sent_.size() >= window_) return false;
    if (limit_ > 0) {
        refill(now);
        if (budget_ < 0) return false;
    }
    const double hold = rate_ / 8 * (std::min(quickest_, 1.0) + 0.1);
    return sent_.empty() || static_cast<double>(bytes_) < hold;
}

void Pacing::sent(std::uint32_t serial, std::size_t bytes, Clock::time_point now) {
    sent_.push_back({serial, bytes, now});
    bytes_ += bytes;
    if (limit_ > 0) budget_ -= 8 * static_cast<double>(bytes);
}

void Pacing::shown(std::uint32_t serial, Clock::time_point now) {
    bool any = false;
    // Serials are consecutive and may wrap around.
    while (!sent_.empty() && static_cast<std::int32_t>(serial - sent_.front().serial) >= 0) {
        round_trip_ = seconds_of(now - sent_.front().at);
        bytes_ -= sent_.front().bytes;
        delivered_ += 8 * static_cast<double>(sent_.front().bytes);
        sent_.pop_front();
        ++pictures_;
        any = true;
    }
    if (any) adapt(now);
}

void Pacing::adapt(Clock::time_point now) {
    if (round_trip_ < quickest_ || now - quickest_at_ > kQuickestHolds) quickest_ = round_trip_, quickest_at_ = now;
    const double since = seconds_of(now - measured_), waits = round_trip_ - quickest_;
    if (since < kBetweenChanges || (waits >= kFlows && waits <= kWaits)) return;
    // Change the rate only if it determines the size of frames.
    const bool used = delivered_ / pictures_ * kFps > 0.4 * rate_;
    if (waits > kWaits) {
        const double came = delivered_ / since;
        if (used || window_ == kLeastWindow)
            rate_ = std::max(kSlowest, std::clamp(0.85 * came, rate_ / 2, 0.85 * rate_));
        window_ = std::max(kLeastWindow, window_ - 1);
    } else {
        window_ = std::min(kMostWindow, window_ + 1);
        if (used) rate_ = std::min(limit_ > 0 ? std::min(limit_, kFastest) : kFastest, 1.1 * rate_);
    }
    measured_ = now, delivered_ = 0, pictures_ = 0;
}

namespace {

constexpr std::chrono::milliseconds kBetweenKeys{500};  // a key frame is as large as many others

/// Only the newest position of a moving mouse counts.
bool replaces(const Input& newer, const Input& older) {
    return std::holds_alternative<PointerMoved>(newer.event) && std::holds_alternative<PointerMoved>(older.event);
}

}  // namespace

void Viewers::when_changed(std::function<void()> for_network, std::function<void()> for_encoder) {
    const std::lock_guard lock{mutex_};
    for_network_ = std::move(for_network), for_encoder_ = std::move(for_encoder);
}

std::optional<std::uint32_t> Viewers::join(const Hello& hello) {
    const std::lock_guard lock{mutex_};
    if (viewers_.size() >= limits_.viewers) return std::nullopt;
    const std::uint32_t id = ++last_id_;
    Viewer& viewer =
        viewers_.emplace(id, Viewer{hello.h264 && limits_.h264, hello.size, Pacing{limits_.bits_per_second}})
            .first->second;
    count_ = viewers_.size();
    queue(viewer, welcome_message(id, limits_.upload_bytes));
    for (const auto& [kind, message] : states_) queue(viewer, message);
    if (controller_ == 0) make_controller(id);
    send_roles();
    inbox_.wake();
    for_encoder_();
    return id;
}

void Viewers::leave(std::uint32_t id) {
    const std::lock_guard lock{mutex_};
    viewers_.erase(id);
    count_ = viewers_.size();
    if (controller_ == id) controller_ = 0, inbox_.add({LetGo{}});
    send_roles();
}

void Viewers::take_over(std::uint32_t id) {
    const std::lock_guard lock{mutex_};
    if (controller_ == id || !viewers_.contains(id)) return;
    inbox_.add({LetGo{}});
    make_controller(id);
    send_roles();
}

void Viewers::make_controller(std::uint32_t id) {
    controller_ = id;
    const Viewer& viewer = viewers_.at(id);
    inbox_.add({viewer.size, id, viewer.inputs});
}

void Viewers::send_roles() {
    for (auto& [id, viewer] : viewers_)
        queue(viewer, role_message(id == controller_, viewers_.size(), controller_ != 0));
    for_network_();
}

void Viewers::queue(Viewer& viewer, const std::string& message) {
    if (viewer.messages.size() == kMostMessages) viewer.unresponsive = true;  // the connection is then closed
    if (!viewer.unresponsive) viewer.messages.push_back(message);
}

void Viewers::input(std::uint32_t id, InputEvent event) {
    const std::lock_guard lock{mutex_};
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return;
    Viewer& viewer = found->second;
    if (!std::holds_alternative<DroppedFile>(event)) ++viewer.inputs;  // the page does not count dropped files
    if (const auto* size = std::get_if<ViewerSize>(&event)) viewer.size = *size;
    if (controller_ == id) inbox_.add({std::move(event), id, viewer.inputs});
}

void Viewers::shown(std::uint32_t id, std::uint32_t serial) {
    const std::lock_guard lock{mutex_};
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return;
    found->second.pacing.shown(serial, Clock::now());
    for_encoder_();
}

std::optional<Viewers::Outgoing> Viewers::next(std::uint32_t id) {
    const std::lock_guard lock{mutex_};
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return std::nullopt;
    Viewer& viewer = found->second;
    if (!viewer.messages.empty()) {
        std::string message = std::move(viewer.messages.front());
        viewer.messages.pop_front();
        return message;
    }
    if (!viewer.picture) return std::nullopt;
    viewer.pacing.sent(viewer.picture->header.serial, viewer.picture->size(), Clock::now());
    return std::exchange(viewer.picture, nullptr);
}

bool Viewers::stalled(std::uint32_t id, double seconds) const {
    const std::lock_guard lock{mutex_};
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return true;
    const Viewer& viewer = found->second;
    const auto now = Clock::now();
    return viewer.unresponsive || now - viewer.pacing.waiting_since(now) > std::chrono::duration<double>(seconds);
}

bool Viewers::is_controller(std::uint32_t id) const {
    const std::lock_guard lock{mutex_};
    return controller_ == id;
}

void Viewers::send_to_all(const std::string& message) {
    const std::lock_guard lock{mutex_};
    for (auto& [id, viewer] : viewers_) queue(viewer, message);
    for_network_();
}

void Viewers::send_to_controller(const std::string& message) {
    const std::lock_guard lock{mutex_};
    if (const auto found = viewers_.find(controller_); found != viewers_.end()) queue(found->second, message);
    for_network_();
}

void Viewers::send_state(const std::string& message) {
    const std::lock_guard lock{mutex_};
    states_[message.front()] = message;
    for (auto& [id, viewer] : viewers_) queue(viewer, message);
    for_network_();
}

/// The viewer whose acknowledgements pace this codec: the controller, otherwise the one with the highest rate.
const Viewers::Viewer* Viewers::leader(bool h264) const {
    const Viewer* best = nullptr;
    for (const auto& [id, viewer] : viewers_) {
        if (viewer.h264 != h264) continue;
        if (id == controller_) return &viewer;
        if (!best || viewer.pacing.rate() > best->pacing.rate()) best = &viewer;
    }
    return best;
}

Viewers::Demand Viewers::demand() {
    const std::lock_guard lock{mutex_};
    const auto now = Clock::now();
    const Viewer *jpeg = leader(false), *h264 = leader(true);
    Demand wanted;
    if (jpeg) wanted.jpeg_rate = jpeg->pacing.rate();
    if (h264) wanted.h264_rate = h264->pacing.rate();
    bool key = false;
    for (auto& [id, viewer] : viewers_) {
        wanted.soon |= viewer.behind;
        if (viewer.picture || !viewer.pacing.may_send(now)) continue;
        if (!viewer.h264) wanted.jpeg = true, wanted.again |= viewer.behind;
        // Viewers slower than the leader miss frames; their video continues with the next key frame.
        wanted.h264 |= &viewer == h264;
        key |= viewer.h264 && viewer.behind;
    }
    wanted.key = key && now - last_key_ > kBetweenKeys;
    wanted.h264 |= wanted.key;
    return wanted;
}

void Viewers::publish(const SharedPicture& picture, For whom) {
    const std::lock_guard lock{mutex_};
    const bool h264 = picture->header.codec == PictureCodec::kH264, key = picture->header.key;
    const auto now = Clock::now();
    if (h264 && key) last_key_ = now;
    for (auto& [id, viewer] : viewers_) {
        if (viewer.h264 != h264 || (whom == For::kBehind && !viewer.behind)) continue;
        const bool takes = !viewer.picture && viewer.pacing.may_send(now);
        viewer.behind = !takes || (!key && viewer.behind);  // a JPEG is a key frame
        if (!viewer.behind) viewer.picture = picture;
    }
    for_network_();
}

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
