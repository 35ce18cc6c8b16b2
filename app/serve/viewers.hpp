// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/serve/inbox.hpp"
#include "app/serve/messages.hpp"
#include "app/serve/pacing.hpp"

namespace orrery {

/// What a picture cost, in seconds, and what it shows: a line of --times.
struct PictureCosts {
    std::int64_t step = 0;  ///< of the simulation
    double draw = 0, read = 0, encode = 0;
    int width = 0, height = 0;  ///< as sent
};

/// A picture as it is sent to all who take this codec.
struct EncodedPicture {
    /// In front of the message, for the header of the WebSocket.
    static constexpr std::size_t kRoom = 32;
    PictureHeader header;
    PictureCosts costs;
    Pacing::Clock::time_point drawn, made;
    std::vector<std::uint8_t> bytes;  ///< kRoom, then the message

    std::size_t size() const { return bytes.size() - kRoom; }
};
using SharedPicture = std::shared_ptr<const EncodedPicture>;

/// Everybody who watches: what goes to each, and who drives. All members on any thread.
class Viewers {
public:
    using Clock = Pacing::Clock;
    struct Limits {
        std::size_t viewers = 16;
        double bits_per_second = 0;      ///< to each; 0: no limit
        bool h264 = true;                ///< it can be encoded
        std::uint64_t upload_bytes = 0;  ///< for the page
    };
    /// What an encoder has to make now.
    struct Demand {
        bool jpeg = false, h264 = false;      ///< somebody can take one
        bool key = false;                     ///< somebody needs a picture of H.264 that stands by itself
        bool again = false;                   ///< somebody has not got the last JPEG
        bool soon = false;                    ///< somebody will need one of them
        double jpeg_rate = 0, h264_rate = 0;  ///< bits per second
    };
    using Outgoing = std::variant<std::string, SharedPicture>;

    Viewers(const Limits& limits, Inbox& inbox) : limits_{limits}, inbox_{inbox} {}
    /// Called with every change that gives the network, or the encoder, something to do; also while locked.
    void when_changed(std::function<void()> for_network, std::function<void()> for_encoder);

    /// The newcomer's id; nothing: there are as many as may be. Who comes while nobody drives, drives.
    std::optional<std::uint32_t> join(const Hello& hello);
    void leave(std::uint32_t id);
    void take_over(std::uint32_t id);
    /// Passes it on if this viewer drives.
    void input(std::uint32_t id, InputEvent event);
    void shown(std::uint32_t id, std::uint32_t serial);
    /// What goes to this viewer next: words before pictures.
    std::optional<Outgoing> next(std::uint32_t id);
    /// It has not acknowledged a picture for this long, or does not take what it is told.
    bool stalled(std::uint32_t id, double seconds) const;
    bool drives(std::uint32_t id) const;

    /// Waits for nobody, so that who is told of a change may ask.
    std::size_t count() const { return count_; }
    void tell_all(const std::string& message);
    void tell_driver(const std::string& message);
    /// Sends a message to every viewer, and its newest of each kind to every newcomer: title, cursor, language.
    void keep_telling(const std::string& message);

    Demand demand();
    enum class For { kAll, kWhoLacksIt };
    void publish(const SharedPicture& picture, For whom);

private:
    static constexpr std::size_t kMostWords = 64;  // that wait for one viewer; who takes none is stalled
    struct Viewer {
        bool h264;
        ViewerSize size;
        Pacing pacing;
        bool deaf = false;   // it has not taken its words
        bool behind = true;  ///< it has not got the last picture
        std::uint32_t inputs = 0;
        std::deque<std::string> words;
        SharedPicture picture;  // waits to be sent
    };
    void drive(std::uint32_t id);
    void tell_roles();
    static void tell(Viewer& viewer, const std::string& message);
    const Viewer* leader(bool h264) const;

    const Limits limits_;
    Inbox& inbox_;
    mutable std::mutex mutex_;
    std::function<void()> for_network_ = [] {}, for_encoder_ = [] {};
    std::map<std::uint32_t, Viewer> viewers_;
    std::atomic<std::size_t> count_ = 0;  // of them
    std::map<char, std::string> kept_;
    std::uint32_t driver_ = 0, last_id_ = 0;
    Clock::time_point last_key_{};
};

}  // namespace orrery
