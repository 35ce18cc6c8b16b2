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
    std::string lasting_token;               ///< gives a secret every time; empty: links alone do, each once
};

/// The network's side: one TCP port that gives the page, fetches of made files, and a WebSocket for each viewer. By
/// libwebsockets, on a thread of its own.
class Server {
public:
    /// Throws Error{kUsage} for an address or files that cannot be, Error{kEnvironment} if the port is taken or the
    /// system listens elsewhere. Warns on stderr where other machines reach the port and nothing is encrypted.
    Server(const ServerConfig& config, Viewers& viewers, Uploads& uploads, const MadeFiles& made, ServeTimes& times);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();  ///< tells viewers that the program ends

    int port() const;
    /// To be opened once: it has the first token. The links after it are told when it has been used.
    const std::string& link() const;
    const std::string& address() const;  ///< of the page, without a token
    void stir();                         ///< there is something to send; any thread

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
