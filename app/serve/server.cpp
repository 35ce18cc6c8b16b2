// SPDX-License-Identifier: MIT
#include "app/serve/server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <libwebsockets.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>

#include "app/serve/answers.hpp"
#include "app/serve/conversation.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

using namespace std::chrono_literals;

constexpr int kMostConnections = 128;
constexpr unsigned kPatience = 5;  // s for a request to be complete, and for an idle connection
constexpr auto kFarewell = 100ms;  // for the last messages
const lws_retry_bo_t kAlive{.secs_since_valid_ping = 10, .secs_since_valid_hangup = 20};

/// Checked here because libwebsockets does not report which file is missing or invalid.
void require_pem(const char* option, const std::filesystem::path& path, std::initializer_list<std::string_view> kinds) {
    std::ifstream file{path, std::ios::binary};
    if (!file) usage_error(fmt::format("{} {}: {}", option, path.string(), std::strerror(errno)));
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    const auto holds = [&](std::string_view kind) { return text.find(kind) != std::string::npos; };
    if (std::ranges::none_of(kinds, holds))
        usage_error(fmt::format("{} {}: expected PEM with a line \"{}\"", option, path.string(), *kinds.begin()));
}

void require_tls_files(const ServerConfig& config) {
    if (config.certificate.empty()) return;
    require_pem("--tls-certificate", config.certificate, {"-----BEGIN CERTIFICATE-----"});
    require_pem("--tls-key", config.key,
                {"-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN EC PRIVATE KEY-----"});
}

std::string numeric(const sockaddr* address, socklen_t length) {
    std::array<char, NI_MAXHOST> host{};
    if (getnameinfo(address, length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) return {};
    return host.data();
}

int port_of(const sockaddr_storage& address) {
    if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
    if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    return -1;
}

bool is_loopback(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24 == 127;
    const in6_addr& wide = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&wide) || (IN6_IS_ADDR_V4MAPPED(&wide) && wide.s6_addr[12] == 127);
}

bool is_any(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

/// Connecting a datagram socket sends nothing, but makes the system choose the source address.
std::string address_of_default_route() {
    const Descriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    sockaddr_in other{};
    other.sin_family = AF_INET;
    other.sin_port = htons(9);
    inet_pton(AF_INET, "192.0.2.1", &other.sin_addr);  // RFC 5737: assigned to no machine
    sockaddr_in own{};
    socklen_t length = sizeof own;
    if (!socket || connect(socket.get(), reinterpret_cast<sockaddr*>(&other), sizeof other) != 0 ||
        getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0)
        return {};
    return numeric(reinterpret_cast<sockaddr*>(&own), length);
}

std::string address_of_first_interface() {
    ifaddrs* found = nullptr;
    if (getifaddrs(&found) != 0) return {};
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned{found, freeifaddrs};
    for (const ifaddrs* one = found; one; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP) != 0 &&
            (one->ifa_flags & IFF_LOOPBACK) == 0)
            return numeric(one->ifa_addr, sizeof(sockaddr_in));
    return {};
}

}  // namespace

struct Server::State {
    State(const ServerConfig& wanted, Viewers& viewers, Uploads& uploads, const MadeFiles& made, ServeTimes& times)
        : config{wanted}, talk{viewers, uploads, times}, made_files{made} {}

    ServerConfig config;
    ListenAddress listening;
    ConversationParts talk;
    const MadeFiles& made_files;
    std::unique_ptr<Answers> answers;
    std::array<lws_protocols, 3> protocols{};
    lws_context* context = nullptr;
    int port = 0, connections = 0;
    std::string first_link, bare_address;
    std::atomic<bool> stop{false};
    std::thread thread;

    void open();
    void run();
    std::string address() const;
    void warn() const;
    std::string link(const std::string& token) const { return fmt::format("{}?token={}", address(), token); }

    static State& of(lws* wsi) { return *static_cast<State*>(lws_context_user(lws_get_context(wsi))); }
    static int on_http(lws* wsi, lws_callback_reasons reason, void* user, void* in, std::size_t length);
    static int on_viewer(lws* wsi, lws_callback_reasons reason, void* user, void* in, std::size_t length);
};

/// The URL for a browser, on this machine or, if the port is reachable from others, elsewhere.
std::string Server::State::address() const {
    if (config.base) return config.base->origin + config.base->path;
    const std::string elsewhere = listening.any ? address_from_elsewhere() : listening.text;
    return fmt::format("{}://{}:{}/", config.certificate.empty() ? "http" : "https",
                       elsewhere.empty() ? "localhost" : url_host(elsewhere), port);
}

/// Warns if other machines can reach the port and the connection is not encrypted.
void Server::State::warn() const {
    if (listening.loopback || !config.certificate.empty()) return;
    to_stderr(
        "orrery: warning: --bind {}: other machines can reach the window, and the traffic is not encrypted: an "
        "eavesdropper can control it. Encrypt with --tls-certificate and --tls-key, or use a tunnel (ssh -L) without "
        "--bind\n",
        listening.text);
}

int Server::State::on_http(lws* wsi, lws_callback_reasons reason, void* user, void* in, std::size_t length) {
    switch (reason) {
        case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
            return of(wsi).connections >= kMostConnections ? -1 : 0;
        case LWS_CALLBACK_WSI_CREATE:
            ++of(wsi).connections;
            return 0;
        case LWS_CALLBACK_WSI_DESTROY:
            --of(wsi).connections;
            return 0;
        case LWS_CALLBACK_HTTP:
            return of(wsi).answers->begin(wsi, {static_cast<const char*>(in), length});
        case LWS_CALLBACK_HTTP_WRITEABLE:
            return of(wsi).answers->send_page(wsi);
        case LWS_CALLBACK_HTTP_FILE_COMPLETION:
            return lws_http_transaction_completed(wsi) ? -1 : 0;
        default:
            return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

int Server::State::on_viewer(lws* wsi, lws_callback_reasons reason, void* user, void* in, std::size_t length) {
    auto* talk = user ? *static_cast<Conversation**>(user) : nullptr;
    switch (reason) {
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
            return of(wsi).answers->may_watch(wsi) ? 0 : -1;
        case LWS_CALLBACK_ESTABLISHED:
            *static_cast<Conversation**>(user) = new Conversation{of(wsi).talk, wsi};
            return 0;
        case LWS_CALLBACK_RECEIVE:
            return talk->receive({static_cast<const std::uint8_t*>(in), length}) ? 0 : -1;
        case LWS_CALLBACK_SERVER_WRITEABLE:
            return talk->send() ? 0 : -1;
        case LWS_CALLBACK_TIMER:
            return talk->check() ? 0 : -1;
        case LWS_CALLBACK_CLOSED:
            delete talk;
            return 0;
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            lws_callback_on_writable_all_protocol(lws_get_context(wsi), lws_get_protocol(wsi));
            return 0;
        default:
            return 0;
    }
}

void Server::State::open() {
    listening = listen_address(config.address, config.port);
    require_tls_files(config);
    lws_set_log_level(0, nullptr);  // errors are returned as a status
    protocols[0] = {.name = "http", .callback = on_http, .per_session_data_size = 8, .rx_buffer_size = 4096};
    protocols[1] = {.name = "orrery",
                    .callback = on_viewer,
                    .per_session_data_size = sizeof(Conversation*),
                    .rx_buffer_size = kLongestMessage};
    lws_context_creation_info info{};
    info.port = config.port;
    info.iface = listening.text.c_str();
    info.protocols = protocols.data();
    info.user = this;
    info.gid = static_cast<gid_t>(-1), info.uid = static_cast<uid_t>(-1);
    // With IPv6 enabled, libwebsockets treats an IPv4 address as the unspecified IPv6 address and listens everywhere.
    // "::" means all addresses, whatever the system's default for IPv4 there.
    info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   (listening.ipv6 ? LWS_SERVER_OPTION_IPV6_V6ONLY_MODIFY : LWS_SERVER_OPTION_DISABLE_IPV6);
    info.timeout_secs = info.timeout_secs_ah_idle = kPatience;
    info.keepalive_timeout = static_cast<int>(kPatience);
    info.max_http_header_pool = kMostConnections;
    info.retry_and_idle_policy = &kAlive;
    info.server_string = "orrery";
    info.alpn = "http/1.1";
    const std::string certificate = config.certificate.string(), key = config.key.string();
    if (!certificate.empty()) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = certificate.c_str();
        info.ssl_private_key_filepath = key.c_str();
    }
    context = lws_create_context(&info);
    if (!context && !certificate.empty())
        usage_error(
            fmt::format("{}, {}: the certificate and the key do not match, or one is damaged", certificate, key));
    if (!context) environment_error(fmt::format("port {} of {}: cannot be opened", config.port, config.address));
    port = lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default"));
    require_only(listening, port);
    answers = std::make_unique<Answers>(AnswersConfig{.port = port,
                                                      .encrypted = !certificate.empty(),
                                                      .framed = config.framed,
                                                      .lasting = config.lasting_token,
                                                      .base = config.base},
                                        made_files);
    warn();
}

void Server::State::run() {
    while (!stop) lws_service(context, 0);
    for (const auto end = std::chrono::steady_clock::now() + kFarewell; std::chrono::steady_clock::now() < end;) {
        lws_service(context, -1);
        std::this_thread::sleep_for(5ms);
    }
}

Server::Server(const ServerConfig& config, Viewers& viewers, Uploads& uploads, const MadeFiles& made, ServeTimes& times)
    : state_{std::make_unique<State>(config, viewers, uploads, made, times)} {
    state_->open();
    state_->answers->when_spent([state = state_.get()](const std::string& token) {
        to_stdout("orrery: for another browser: {}\n", state->link(token));
        output_error();  // a user waits for it
    });
    state_->first_link = state_->link(state_->answers->token());
    state_->bare_address = state_->address();
    state_->thread = std::thread{[this] { state_->run(); }};
}

Server::~Server() {
    state_->talk.viewers.send_to_all(end_message());
    state_->stop = true;
    lws_cancel_service(state_->context);
    state_->thread.join();
    lws_context_destroy(state_->context);
}

int Server::port() const { return state_->port; }
const std::string& Server::link() const { return state_->first_link; }
const std::string& Server::address() const { return state_->bare_address; }
void Server::wake() { lws_cancel_service(state_->context); }

ListenAddress listen_address(const std::string& text, int port) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    const std::string service = fmt::format("{}", port);
    if (getaddrinfo(text.c_str(), service.c_str(), &hints, &found) != 0)
        usage_error(fmt::format("--bind {}: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0", text));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned{found, freeaddrinfo};
    Descriptor socket{::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol)};
    const int one = 1;
    setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(socket.get(), 1) != 0)
        environment_error(fmt::format("port {} of {}: {}", port, text, std::strerror(errno)));
    return {.text = numeric(found->ai_addr, found->ai_addrlen),
            .ipv6 = found->ai_family == AF_INET6,
            .loopback = is_loopback(found->ai_addr),
            .any = is_any(found->ai_addr)};
}

std::vector<std::string> listening_addresses(int port) {
    std::vector<std::string> addresses;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd", error}) {
        const std::string name = entry.path().filename().string();
        int number = -1, listens = 0;
        std::from_chars(name.data(), name.data() + name.size(), number);
        socklen_t length = sizeof listens;
        if (getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || listens == 0) continue;
        sockaddr_storage address{};
        length = sizeof address;
        if (getsockname(number, reinterpret_cast<sockaddr*>(&address), &length) == 0 && port_of(address) == port)
            addresses.push_back(numeric(reinterpret_cast<sockaddr*>(&address), length));
    }
    return addresses;
}

void require_only(const ListenAddress& address, int port) {
    const std::vector<std::string> found = listening_addresses(port);
    if (found == std::vector{address.text}) return;
    environment_error(fmt::format("port {} of {}: the system listens on {} instead; the window is not served", port,
                                  address.text,
                                  found.empty() ? "no address" : fmt::format("{}", fmt::join(found, ", "))));
}

std::string address_from_elsewhere() {
    const std::string routed = address_of_default_route();
    return routed.empty() ? address_of_first_interface() : routed;
}

std::string url_host(std::string_view address) {
    return address.find(':') == std::string_view::npos ? std::string{address} : fmt::format("[{}]", address);
}

}  // namespace orrery
