// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "app/serve/files.hpp"
#include "app/serve/serve_times.hpp"
#include "app/serve/viewers.hpp"

struct lws;

namespace orrery {

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
