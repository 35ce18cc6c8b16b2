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

/// What all conversations share.
struct ConversationParts {
    Viewers& viewers;
    Uploads& uploads;
    ServeTimes& times;
};

/// With one viewer, over its WebSocket, in the network's thread. A member that returns false ends it.
class Conversation {
public:
    Conversation(ConversationParts& parts, lws* wsi);
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation();

    bool receive(std::span<const std::uint8_t> bytes);
    bool send();
    bool look();  ///< at a viewer that may have gone without a word

private:
    bool answer(ViewerMessage message);
    bool take_file(const ViewerMessage& message);
    bool end(const char* why);

    ConversationParts& parts_;
    lws* wsi_;
    std::uint32_t id_ = 0;  // none before it says hello
    bool uploads_ = false;  // the file that is not complete is its own
    std::vector<std::uint8_t> message_;
};

}  // namespace orrery
