// SPDX-License-Identifier: MIT
#include "app/serve/conversation.hpp"

#include <fmt/format.h>
#include <libwebsockets.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr lws_usec_t kCheckInterval = 2 * LWS_USEC_PER_SEC;
constexpr double kAnswers = 20;  // seconds in which a frame must be acknowledged
static_assert(EncodedPicture::kRoom >= LWS_PRE);

}  // namespace

Conversation::Conversation(ConversationParts& parts, lws* wsi) : parts_{parts}, wsi_{wsi} {
    lws_set_timer_usecs(wsi_, 2 * kCheckInterval);
}

Conversation::~Conversation() {
    if (uploads_) parts_.uploads.drop();
    if (id_ != 0) parts_.viewers.leave(id_);
}

bool Conversation::end(const char* why) {
    std::string reason{why};
    lws_close_reason(wsi_, LWS_CLOSE_STATUS_POLICY_VIOLATION, reinterpret_cast<unsigned char*>(reason.data()),
                     reason.size());
    return false;
}

bool Conversation::receive(std::span<const std::uint8_t> bytes) {
    if (!lws_frame_is_binary(wsi_)) return end("not binary");
    if (message_.size() + bytes.size() > kLongestMessage) return end("too long");
    message_.insert(message_.end(), bytes.begin(), bytes.end());
    if (lws_remaining_packet_payload(wsi_) > 0 || !lws_is_final_fragment(wsi_)) return true;
    auto message = parse_message(message_);
    message_.clear();
    if (!message) return end("malformed");
    return answer(std::move(*message));
}

bool Conversation::answer(ViewerMessage message) {
    if (const auto* hello = std::get_if<Hello>(&message)) {
        if (id_ != 0) return end("malformed");
        if (hello->version != kServeVersion)
            return end(fmt::format("the program uses version {} of the protocol, this page {}; reload the page",
                                   kServeVersion, hello->version)
                           .c_str());
        const auto id = parts_.viewers.join(*hello);
        if (!id) return end("the maximum number of viewers is connected");
        id_ = *id;
        return true;
    }
    if (id_ == 0) return end("malformed");
    if (take_file(message)) return true;
    std::visit(
        [this](auto&& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<One, Shown>)
                parts_.viewers.shown(id_, one.serial);
            else if constexpr (std::is_same_v<One, TakeOver>)
                parts_.viewers.take_over(id_);
            else if constexpr (std::is_constructible_v<InputEvent, One>)
                parts_.viewers.input(id_, std::move(one));
        },
        std::move(message));
    return true;
}

/// Handles messages about files; returns false for others. Only the controller may send files.
bool Conversation::take_file(const ViewerMessage& message) {
    const auto* begins = std::get_if<FileBegins>(&message);
    const auto* part = std::get_if<FilePart>(&message);
    if (!begins && !part) return false;
    if (!parts_.viewers.is_controller(id_)) return true;
    try {
        if (begins) {
            uploads_ = false;
            parts_.uploads.begin(begins->name, begins->size);
            uploads_ = true;
        } else if (uploads_) {
            uploads_ = false;
            const auto path = parts_.uploads.add(part->bytes);
            uploads_ = !path;
            if (path) parts_.viewers.input(id_, DroppedFile{*path});
        }
    } catch (const Error& error) {
        parts_.viewers.send_to_controller(notice_message(error.what()));
    }
    return true;
}

bool Conversation::send() {
    if (id_ == 0) return true;
    const auto next = parts_.viewers.next(id_);
    if (!next) return true;
    int sent = 0;
    if (const auto* text = std::get_if<std::string>(&*next)) {
        std::vector<unsigned char> bytes(LWS_PRE + text->size());
        std::memcpy(bytes.data() + LWS_PRE, text->data(), text->size());
        sent = lws_write(wsi_, bytes.data() + LWS_PRE, text->size(), LWS_WRITE_BINARY);
    } else {
        const SharedPicture& picture = std::get<SharedPicture>(*next);
        // libwebsockets writes its header into the reserved room, only on this thread, and leaves the rest unchanged.
        auto* bytes = const_cast<unsigned char*>(picture->bytes.data()) + EncodedPicture::kRoom;
        sent = lws_write(wsi_, bytes, picture->size(), LWS_WRITE_BINARY);
        if (parts_.viewers.is_controller(id_)) parts_.times.sent(*picture, Pacing::Clock::now());
    }
    lws_callback_on_writable(wsi_);
    return sent >= 0;
}

bool Conversation::check() {
    if (id_ == 0 || parts_.viewers.stalled(id_, kAnswers)) return end("no answer");
    lws_set_timer_usecs(wsi_, kCheckInterval);
    return true;
}

ServeTimes::ServeTimes(const std::filesystem::path& path) {
    if (path.empty()) return;
    file_.emplace(path).require_writable();  // opened at the end, so that a killed program leaves no partial file
}

void ServeTimes::sent(const EncodedPicture& picture, Clock::time_point now) {
    const PictureCosts& costs = picture.costs;
    const std::lock_guard lock{mutex_};
    if (rows_.size() == kMost) return;
    rows_.push_back({seconds_of(now - start_), costs.draw, costs.read, costs.encode, seconds_of(now - picture.made),
                     costs.step, picture.size(), costs.width, costs.height, picture.header.codec, picture.header.key});
}

double ServeTimes::median_ms(double Row::*part) const {
    std::vector<double> values;
    for (const Row& row : rows_) values.push_back(1e3 * (row.*part));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string ServeTimes::csv() const {
    std::string text = "seconds,step,codec,key,width,height,bytes,draw_ms,read_ms,encode_ms,send_ms\n";
    for (const Row& r : rows_)
        text += fmt::format("{:.6f},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", r.seconds, r.step,
                            r.codec == PictureCodec::kH264 ? "h264" : "jpeg", r.key ? 1 : 0, r.width, r.height, r.bytes,
                            1e3 * r.draw, 1e3 * r.read, 1e3 * r.encode, 1e3 * r.send);
    return text;
}

std::string ServeTimes::finish() {
    const std::lock_guard lock{mutex_};
    if (file_) {
        OutputFile file{file_->asked()};
        file.write(csv());
        file.commit();
    }
    if (rows_.size() < 2) return {};
    const double seconds = rows_.back().seconds - rows_.front().seconds;
    std::int64_t steps = 0;  // steps restart at 0 with another scene
    for (std::size_t i = 1; i < rows_.size(); ++i)
        steps += std::max<std::int64_t>(0, rows_[i].step - rows_[i - 1].step);
    const double draw = median_ms(&Row::draw), read = median_ms(&Row::read), encode = median_ms(&Row::encode),
                 send = median_ms(&Row::send);
    return fmt::format(
        "{} frames in {:.1f} s, {:.1f} per second; a frame takes {:.1f} ms: draw {:.1f}, read back {:.1f}, encode "
        "{:.1f}, send {:.1f}; {:.1f} steps per second",
        rows_.size(), seconds, static_cast<double>(rows_.size() - 1) / seconds, draw + read + encode + send, draw, read,
        encode, send, static_cast<double>(steps) / seconds);
}

}  // namespace orrery
