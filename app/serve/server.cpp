// SPDX-License-Identifier: MIT
#include "app/serve/server.hpp"

#include <fmt/format.h>
#include <libwebsockets.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <thread>

#include "app/serve/answers.hpp"
#include "app/serve/conversation.hpp"
#include "app/serve/listening.hpp"
#include "core/base/error.hpp"
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
    // libwebsockets 4.3 opens a socket for each family where no address is given, and IPv6 alone for "::".
    const bool everywhere = listening.ipv6 && listening.any;
    info.port = everywhere ? listening.port : config.port;
    info.iface = everywhere ? nullptr : listening.text.c_str();
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

}  // namespace orrery
