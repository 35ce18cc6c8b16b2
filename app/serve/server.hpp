// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/serve/access.hpp"
#include "app/serve/files.hpp"
#include "app/serve/viewers.hpp"
#include "core/base/files.hpp"

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

/// An address of this machine to listen on, checked and in canonical form: "127.1" becomes "127.0.0.1".
struct ListenAddress {
    std::string text;
    int port = 0;  ///< that was free, if any was accepted
    bool ipv6 = false;
    bool loopback = false;  ///< reachable only from this machine
    bool any = false;       ///< 0.0.0.0 or ::, all addresses of this machine
};

/// Throws Error{kUsage} unless it is a numeric IPv4 or IPv6 address, Error{kEnvironment} if this machine does not have
/// it or the port is in use. Port 0: any free port.
ListenAddress listen_address(const std::string& text, int port);

/// The addresses on which this process listens at this TCP port, according to the system.
std::vector<std::string> listening_addresses(int port);

/// Throws Error{kEnvironment} unless this process listens at this port on that address and no other. :: includes the
/// addresses of IPv4.
void require_only(const ListenAddress& address, int port);

/// Returns the address as written in a URL: IPv6 in brackets.
std::string url_host(std::string_view address);

}  // namespace orrery
