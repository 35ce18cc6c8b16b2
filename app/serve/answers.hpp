// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/serve/access.hpp"
#include "app/serve/base_url.hpp"
#include "app/serve/files.hpp"

struct lws;

namespace orrery {

struct AnswersConfig {
    int port = 0;
    bool encrypted = false;
    bool framed = false;          ///< pages of the same host may show the page in a frame
    std::string lasting;          ///< a token besides those of the links; empty: none
    std::optional<BaseUrl> base;  ///< of a proxy in front
};

/// What a browser gets by HTTP: for the link's token a secret, for the secret the page and files that were made in the
/// window; nothing else, and nobody else anything. In the network's thread.
class Answers {
public:
    Answers(const AnswersConfig& config, const MadeFiles& made);

    /// The token in the link has been used; this is the next one.
    void when_spent(std::function<void(const std::string& token)> tell) { spent_ = std::move(tell); }
    const std::string& token() const { return access_.token(); }

    /// A request for this path. Returns what a callback of libwebsockets does.
    int begin(lws* wsi, std::string_view path);
    int send_page(lws* wsi);
    /// Whether a WebSocket may be opened: it comes from a page of this server, in a browser that has a secret.
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
    std::string page_;  // with room for libwebsockets in front
};

}  // namespace orrery
