// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/serve/access.hpp"
#include "app/serve/files.hpp"

struct lws;

namespace orrery {

struct AnswersConfig {
    int port = 0;
    bool encrypted = false;
    bool framed = false;          ///< pages of the same host may show the page in a frame
    std::string lasting;          ///< a token besides those of the links; empty: none
    std::optional<BaseUrl> base;  ///< of a proxy in front of the server
};

/// Answers HTTP requests: returns a secret for the link's token, and for the secret the page and files made in the
/// window. Refuses everything else. Used only by the network thread.
class Answers {
public:
    Answers(const AnswersConfig& config, const MadeFiles& made);

    /// Sets a function to call when the token in the link has been used, with the next one.
    void when_spent(std::function<void(const std::string& token)> call) { spent_ = std::move(call); }
    const std::string& token() const { return access_.token(); }

    /// Handles a request for this path. Returns the result of a libwebsockets callback.
    int begin(lws* wsi, std::string_view path);
    int send_page(lws* wsi);
    /// True if a WebSocket may be opened: the request comes from a page of this server, in a browser with a secret.
    bool may_watch(lws* wsi) const;

private:
    int give_page(lws* wsi);
    int give_secret(lws* wsi, const std::string& secret);
    int give_file(lws* wsi, std::string_view id);
    bool known(lws* wsi) const;
    std::string ancestors(lws* wsi) const;
    const std::string& base_path() const;

    const AnswersConfig config_;
    Access access_;
    const MadeFiles& made_;
    std::function<void(const std::string&)> spent_;
    std::string page_;  // after reserved room for libwebsockets
};

}  // namespace orrery
