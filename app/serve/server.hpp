// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/serve/base_url.hpp"
#include "app/serve/files.hpp"
#include "app/serve/serve_times.hpp"
#include "app/serve/viewers.hpp"

namespace orrery {

struct ServerConfig {
    std::string address = "127.0.0.1";
    int port = 8080;                         ///< 0: any that is free
    std::filesystem::path certificate, key;  ///< PEM; empty: no TLS
    bool framed = false;                     ///< pages of the same host may show the page in a frame
    std::optional<BaseUrl> base;             ///< of a proxy in front
    std::string lasting_token;  ///< can be redeemed any number of times; empty: only links admit, each once
};

/// The network side: one TCP port that serves the page, downloads of made files, and a WebSocket for each viewer. Uses
/// libwebsockets, on a separate thread.
class Server {
public:
    /// Throws Error{kUsage} for an invalid address or files, Error{kEnvironment} if the port is in use or the system
    /// listens elsewhere. Warns on stderr if other machines can reach the port without encryption.
    Server(const ServerConfig& config, Viewers& viewers, Uploads& uploads, const MadeFiles& made, ServeTimes& times);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();  ///< notifies viewers that the program ends

    int port() const;
    /// Contains the first token, which can be used once. The following links are printed when it has been used.
    const std::string& link() const;
    const std::string& address() const;  ///< of the page, without a token
    void wake();                         ///< there is data to send; any thread

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
