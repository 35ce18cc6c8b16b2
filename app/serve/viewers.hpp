// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
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
#include "app/serve/pacing.hpp"

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
