// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/serve/messages.hpp"

namespace orrery {

inline double seconds_of(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

/// Limits the rate of frames to one viewer, from its acknowledgements. If they come later than the fastest ones did,
/// frames are queued somewhere, and fewer may be in flight; otherwise more may (delay-based congestion control: Brakmo
/// & Peterson 1995). The bit rate is reduced as well if it fills the link: worse frames do not help a browser that
/// decodes slowly. The data in flight never exceeds that of a round trip and a tenth of a second.
class Pacing {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kFps = 25;  ///< frames per second for which a bit rate is chosen
    static constexpr double kSlowest = 100'000, kFirst = 30'000'000, kFastest = 400'000'000;  ///< bits per second

    /// `limit` in bits per second; 0: none.
    explicit Pacing(double limit = 0);

    bool may_send(Clock::time_point now);
    void sent(std::uint32_t serial, std::size_t bytes, Clock::time_point now);
    /// This frame and all before it have been displayed.
    void shown(std::uint32_t serial, Clock::time_point now);

    double rate() const { return rate_; }  ///< bits per second for frames
    /// Number of frames sent and not yet acknowledged.
    std::size_t in_flight() const { return sent_.size(); }
    /// When the oldest frame in flight was sent; `now` if there is none.
    Clock::time_point waiting_since(Clock::time_point now) const { return sent_.empty() ? now : sent_.front().at; }

private:
    struct Sent {
        std::uint32_t serial;
        std::size_t bytes;
        Clock::time_point at;
    };
    void adapt(Clock::time_point now);
    void refill(Clock::time_point now);

    double limit_, rate_;
    double budget_ = 0;  // bits left of the limit
    double round_trip_ = 0, quickest_ = 1e9;
    double delivered_ = 0;    // bits since measured_
    int pictures_ = 0;        // frames since measured_
    std::size_t bytes_ = 0;   // in flight
    std::size_t window_ = 4;  // maximum number of frames in flight
    std::deque<Sent> sent_;
    Clock::time_point filled_, measured_, quickest_at_;
};

/// Chooses the quality of frames for a rate: first the JPEG quality is reduced, then the frame size; they are raised in
/// reverse order. H.264 keeps a rate by itself, so only the size is chosen.
class Fidelity {
public:
    static constexpr int kBest = 85, kWorst = 35;  ///< JPEG quality

    int quality() const { return quality_; }
    double scale() const { return scale_; }  ///< of width and height: 1, 3/4 or 1/2

    /// Call after a JPEG of this many bytes; `rate` in bits per second.
    void made_jpeg(std::size_t bytes, double rate) {
        const double part = 8 * static_cast<double>(bytes) * Pacing::kFps / rate;
        if (part > 1) {
            if (quality_ > kWorst)
                quality_ = std::max(kWorst, quality_ - 10);
            else if (scale_ > kSmallest)
                smaller(), quality_ = kMiddle;
        } else if (part < 0.6) {
            if (scale_ < 1 && quality_ >= kMiddle + 10)
                larger(), quality_ = kMiddle - 10;
            else
                quality_ = std::min(kBest, quality_ + 2);
        }
    }

    /// Call before an H.264 frame of this size; `rate` in bits per second.
    void take_rate(double rate, int width, int height) {
        const double bits = rate / (Pacing::kFps * static_cast<double>(width) * height);  // per transmitted pixel
        if (bits < kFewBits && scale_ > kSmallest) smaller();
        // Going up multiplies the number of pixels by 16/9 or 9/4.
        if (bits > 4 * kFewBits && scale_ < 1) larger();
    }

private:
    static constexpr double kSmallest = 0.5;
    static constexpr double kFewBits = 0.02;  // of H.264 per pixel, below which a smaller frame looks better
    static constexpr int kMiddle = 60;
    void smaller() { scale_ -= 0.25; }
    void larger() { scale_ += 0.25; }

    int quality_ = kBest;
    double scale_ = 1;
};

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

/// Costs of a frame, in seconds, and its content: a line of --times.
struct PictureCosts {
    std::int64_t step = 0;  ///< of the simulation
    double draw = 0, read = 0, encode = 0;
    int width = 0, height = 0;  ///< as sent
};

/// A frame as sent to all viewers with this codec.
struct EncodedPicture {
    /// Reserved before the message, for the WebSocket header.
    static constexpr std::size_t kRoom = 32;
    PictureHeader header;
    PictureCosts costs;
    Pacing::Clock::time_point drawn, made;
    std::vector<std::uint8_t> bytes;  ///< kRoom bytes, then the message

    std::size_t size() const { return bytes.size() - kRoom; }
};
using SharedPicture = std::shared_ptr<const EncodedPicture>;

/// All viewers, the messages and frames for each, and which one is the controller. Thread-safe.
class Viewers {
public:
    using Clock = Pacing::Clock;
    struct Limits {
        std::size_t viewers = 16;
        double bits_per_second = 0;      ///< to each; 0: no limit
        bool h264 = true;                ///< H.264 can be encoded
        std::uint64_t upload_bytes = 0;  ///< sent to the page
    };
    /// The frames that the encoder has to make now.
    struct Demand {
        bool jpeg = false, h264 = false;      ///< a viewer can receive one
        bool key = false;                     ///< a viewer needs an H.264 key frame
        bool again = false;                   ///< a viewer lacks the last JPEG
        bool soon = false;                    ///< a viewer will need one of them
        double jpeg_rate = 0, h264_rate = 0;  ///< bits per second
    };
    using Outgoing = std::variant<std::string, SharedPicture>;

    Viewers(const Limits& limits, Inbox& inbox) : limits_{limits}, inbox_{inbox} {}
    /// Sets functions that are called when the network, or the encoder, has something to do; also while locked.
    void when_changed(std::function<void()> for_network, std::function<void()> for_encoder);

    /// Returns the new viewer's id; nothing if the maximum is reached. Without a controller, the new viewer becomes it.
    std::optional<std::uint32_t> join(const Hello& hello);
    void leave(std::uint32_t id);
    void take_over(std::uint32_t id);
    /// Forwards the input if this viewer is the controller.
    void input(std::uint32_t id, InputEvent event);
    void shown(std::uint32_t id, std::uint32_t serial);
    /// The next item to send to this viewer: messages before frames.
    std::optional<Outgoing> next(std::uint32_t id);
    /// True if it has not acknowledged a frame for this long, or does not receive its messages.
    bool stalled(std::uint32_t id, double seconds) const;
    bool is_controller(std::uint32_t id) const;

    /// Lock-free, so it may be called from a change callback.
    std::size_t count() const { return count_; }
    void send_to_all(const std::string& message);
    void send_to_controller(const std::string& message);
    /// Sends a message to all viewers and, as the latest of its kind, to new ones: title, cursor, language.
    void send_state(const std::string& message);

    Demand demand();
    enum class For { kAll, kBehind };
    void publish(const SharedPicture& picture, For whom);

private:
    static constexpr std::size_t kMostMessages = 64;  // waiting for one viewer; with more, it is stalled
    struct Viewer {
        bool h264;
        ViewerSize size;
        Pacing pacing;
        bool unresponsive = false;  // it does not receive its messages
        bool behind = true;         ///< it lacks the last frame
        std::uint32_t inputs = 0;
        std::deque<std::string> messages;
        SharedPicture picture;  // waiting to be sent
    };
    void make_controller(std::uint32_t id);
    void send_roles();
    static void queue(Viewer& viewer, const std::string& message);
    const Viewer* leader(bool h264) const;

    const Limits limits_;
    Inbox& inbox_;
    mutable std::mutex mutex_;
    std::function<void()> for_network_ = [] {}, for_encoder_ = [] {};
    std::map<std::uint32_t, Viewer> viewers_;
    std::atomic<std::size_t> count_ = 0;  // number of viewers
    std::map<char, std::string> states_;
    std::uint32_t controller_ = 0, last_id_ = 0;
    Clock::time_point last_key_{};
};

}  // namespace orrery
