// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/serve/files.hpp"
#include "app/serve/viewers.hpp"
#include "core/base/files.hpp"

struct lws;

namespace orrery {

/// Costs of the frames sent to the controller: each one as CSV, and a summary in one line.
class ServeTimes {
public:
    using Clock = Pacing::Clock;
    /// `path`: the CSV file; empty: none. Throws Error{kEnvironment} if it cannot be written.
    explicit ServeTimes(const std::filesystem::path& path);

    /// Call when the last byte of this frame has been passed to the system. Any thread.
    void sent(const EncodedPicture& picture, Clock::time_point now);
    /// Completes the CSV. Returns a line with medians in milliseconds; empty if nothing was sent.
    std::string finish();

private:
    struct Row {
        double seconds, draw, read, encode, send;
        std::int64_t step;
        std::size_t bytes;
        int width, height;
        PictureCodec codec;
        bool key;
    };
    static constexpr std::size_t kMost = 1'000'000;
    std::string csv() const;
    double median_ms(double Row::*part) const;

    std::mutex mutex_;
    std::optional<Destination> file_;
    const Clock::time_point start_ = Clock::now();
    std::vector<Row> rows_;
};

/// Objects shared by all conversations.
struct ConversationParts {
    Viewers& viewers;
    Uploads& uploads;
    ServeTimes& times;
};

/// The connection to one viewer over its WebSocket, on the network thread. It is closed if a member function returns
/// false.
class Conversation {
public:
    Conversation(ConversationParts& parts, lws* wsi);
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation();

    bool receive(std::span<const std::uint8_t> bytes);
    bool send();
    bool check();  ///< checks that the viewer still responds

private:
    bool answer(ViewerMessage message);
    bool take_file(const ViewerMessage& message);
    bool end(const char* why);

    ConversationParts& parts_;
    lws* wsi_;
    std::uint32_t id_ = 0;  // 0: before the viewer's hello
    bool uploads_ = false;  // this viewer is sending the incomplete file
    std::vector<std::uint8_t> message_;
};

}  // namespace orrery
