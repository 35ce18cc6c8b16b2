// SPDX-License-Identifier: MIT
#include "app/serve/viewers.hpp"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

constexpr std::chrono::milliseconds kBetweenKeys{500};  // a picture without others costs as much as many

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
    tell(viewer, welcome_message(id, limits_.upload_bytes));
    for (const auto& [kind, message] : kept_) tell(viewer, message);
    if (driver_ == 0) drive(id);
    tell_roles();
    inbox_.stir();
    for_encoder_();
    return id;
}

void Viewers::leave(std::uint32_t id) {
    const std::lock_guard lock{mutex_};
    viewers_.erase(id);
    count_ = viewers_.size();
    if (driver_ == id) driver_ = 0, inbox_.add({LetGo{}});
    tell_roles();
}

void Viewers::take_over(std::uint32_t id) {
    const std::lock_guard lock{mutex_};
    if (driver_ == id || !viewers_.contains(id)) return;
    inbox_.add({LetGo{}});
    drive(id);
    tell_roles();
}

void Viewers::drive(std::uint32_t id) {
    driver_ = id;
    const Viewer& viewer = viewers_.at(id);
    inbox_.add({viewer.size, id, viewer.inputs});
}

void Viewers::tell_roles() {
    for (auto& [id, viewer] : viewers_) tell(viewer, role_message(id == driver_, viewers_.size(), driver_ != 0));
    for_network_();
}

void Viewers::tell(Viewer& viewer, const std::string& message) {
    if (viewer.words.size() == kMostWords) viewer.deaf = true;  // and is ended
    if (!viewer.deaf) viewer.words.push_back(message);
}

void Viewers::input(std::uint32_t id, InputEvent event) {
    const std::lock_guard lock{mutex_};
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return;
    Viewer& viewer = found->second;
    if (!std::holds_alternative<DroppedFile>(event)) ++viewer.inputs;  // that the page cannot count
    if (const auto* size = std::get_if<ViewerSize>(&event)) viewer.size = *size;
    if (driver_ == id) inbox_.add({std::move(event), id, viewer.inputs});
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
    if (!viewer.words.empty()) {
        std::string words = std::move(viewer.words.front());
        viewer.words.pop_front();
        return words;
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
    return viewer.deaf || now - viewer.pacing.waiting_since(now) > std::chrono::duration<double>(seconds);
}

bool Viewers::drives(std::uint32_t id) const {
    const std::lock_guard lock{mutex_};
    return driver_ == id;
}

void Viewers::tell_all(const std::string& message) {
    const std::lock_guard lock{mutex_};
    for (auto& [id, viewer] : viewers_) tell(viewer, message);
    for_network_();
}

void Viewers::tell_driver(const std::string& message) {
    const std::lock_guard lock{mutex_};
    if (const auto found = viewers_.find(driver_); found != viewers_.end()) tell(found->second, message);
    for_network_();
}

void Viewers::keep_telling(const std::string& message) {
    const std::lock_guard lock{mutex_};
    kept_[message.front()] = message;
    for (auto& [id, viewer] : viewers_) tell(viewer, message);
    for_network_();
}

/// By whose acknowledgements a codec's pictures go: who drives, or else who has the fastest way.
const Viewers::Viewer* Viewers::leader(bool h264) const {
    const Viewer* best = nullptr;
    for (const auto& [id, viewer] : viewers_) {
        if (viewer.h264 != h264) continue;
        if (id == driver_) return &viewer;
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
        // Others than the leader miss pictures when theirs is the slower way; what they see goes on with the next key.
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
        if (viewer.h264 != h264 || (whom == For::kWhoLacksIt && !viewer.behind)) continue;
        const bool takes = !viewer.picture && viewer.pacing.may_send(now);
        viewer.behind = !takes || (!key && viewer.behind);  // a JPEG is a key picture
        if (!viewer.behind) viewer.picture = picture;
    }
    for_network_();
}

}  // namespace orrery
