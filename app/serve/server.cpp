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
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include "app/serve/access.hpp"
#include "app/serve/files.hpp"
#include "assets/assets.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

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

constexpr lws_usec_t kCheckInterval = 2 * LWS_USEC_PER_SEC;
constexpr double kAnswers = 20;  // seconds in which a frame must be acknowledged
static_assert(EncodedPicture::kRoom >= LWS_PRE);

}  // namespace

Conversation::Conversation(ConversationParts& parts, lws* wsi) : parts_{parts}, wsi_{wsi} {
    lws_set_timer_usecs(wsi_, 2 * kCheckInterval);
}

Conversation::~Conversation() {
    if (uploads_) parts_.uploads.drop();
    if (id_ != 0) parts_.viewers.leave(id_);
}

bool Conversation::end(const char* why) {
    std::string reason{why};
    lws_close_reason(wsi_, LWS_CLOSE_STATUS_POLICY_VIOLATION, reinterpret_cast<unsigned char*>(reason.data()),
                     reason.size());
    return false;
}

bool Conversation::receive(std::span<const std::uint8_t> bytes) {
    if (!lws_frame_is_binary(wsi_)) return end("not binary");
    if (message_.size() + bytes.size() > kLongestMessage) return end("too long");
    message_.insert(message_.end(), bytes.begin(), bytes.end());
    if (lws_remaining_packet_payload(wsi_) > 0 || !lws_is_final_fragment(wsi_)) return true;
    auto message = parse_message(message_);
    message_.clear();
    if (!message) return end("malformed");
    return answer(std::move(*message));
}

bool Conversation::answer(ViewerMessage message) {
    if (const auto* hello = std::get_if<Hello>(&message)) {
        if (id_ != 0) return end("malformed");
        if (hello->version != kServeVersion)
            return end(fmt::format("the program uses version {} of the protocol, this page {}; reload the page",
                                   kServeVersion, hello->version)
                           .c_str());
        const auto id = parts_.viewers.join(*hello);
        if (!id) return end("the maximum number of viewers is connected");
        id_ = *id;
        return true;
    }
    if (id_ == 0) return end("malformed");
    if (take_file(message)) return true;
    std::visit(
        [this](auto&& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<One, Shown>)
                parts_.viewers.shown(id_, one.serial);
            else if constexpr (std::is_same_v<One, TakeOver>)
                parts_.viewers.take_over(id_);
            else if constexpr (std::is_constructible_v<InputEvent, One>)
                parts_.viewers.input(id_, std::move(one));
        },
        std::move(message));
    return true;
}

/// Handles messages about files; returns false for others. Only the controller may send files.
bool Conversation::take_file(const ViewerMessage& message) {
    const auto* begins = std::get_if<FileBegins>(&message);
    const auto* part = std::get_if<FilePart>(&message);
    if (!begins && !part) return false;
    if (!parts_.viewers.is_controller(id_)) return true;
    try {
        if (begins) {
            uploads_ = false;
            parts_.uploads.begin(begins->name, begins->size);
            uploads_ = true;
        } else if (uploads_) {
            uploads_ = false;
            const auto path = parts_.uploads.add(part->bytes);
            uploads_ = !path;
            if (path) parts_.viewers.input(id_, DroppedFile{*path});
        }
    } catch (const Error& error) {
        parts_.viewers.send_to_controller(notice_message(error.what()));
    }
    return true;
}

bool Conversation::send() {
    if (id_ == 0) return true;
    const auto next = parts_.viewers.next(id_);
    if (!next) return true;
    int sent = 0;
    if (const auto* text = std::get_if<std::string>(&*next)) {
        std::vector<unsigned char> bytes(LWS_PRE + text->size());
        std::memcpy(bytes.data() + LWS_PRE, text->data(), text->size());
        sent = lws_write(wsi_, bytes.data() + LWS_PRE, text->size(), LWS_WRITE_BINARY);
    } else {
        const SharedPicture& picture = std::get<SharedPicture>(*next);
        // libwebsockets writes its header into the reserved room, only on this thread, and leaves the rest unchanged.
        auto* bytes = const_cast<unsigned char*>(picture->bytes.data()) + EncodedPicture::kRoom;
        sent = lws_write(wsi_, bytes, picture->size(), LWS_WRITE_BINARY);
        if (parts_.viewers.is_controller(id_)) parts_.times.sent(*picture, Pacing::Clock::now());
    }
    lws_callback_on_writable(wsi_);
    return sent >= 0;
}

bool Conversation::check() {
    if (id_ == 0 || parts_.viewers.stalled(id_, kAnswers)) return end("no answer");
    lws_set_timer_usecs(wsi_, kCheckInterval);
    return true;
}

ServeTimes::ServeTimes(const std::filesystem::path& path) {
    if (path.empty()) return;
    file_.emplace(path).require_writable();  // opened at the end, so that a killed program leaves no partial file
}

void ServeTimes::sent(const EncodedPicture& picture, Clock::time_point now) {
    const PictureCosts& costs = picture.costs;
    const std::lock_guard lock{mutex_};
    if (rows_.size() == kMost) return;
    rows_.push_back({seconds_of(now - start_), costs.draw, costs.read, costs.encode, seconds_of(now - picture.made),
                     costs.step, picture.size(), costs.width, costs.height, picture.header.codec, picture.header.key});
}

double ServeTimes::median_ms(double Row::*part) const {
    std::vector<double> values;
    for (const Row& row : rows_) values.push_back(1e3 * (row.*part));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string ServeTimes::csv() const {
    std::string text = "seconds,step,codec,key,width,height,bytes,draw_ms,read_ms,encode_ms,send_ms\n";
    for (const Row& r : rows_)
        text += fmt::format("{:.6f},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", r.seconds, r.step,
                            r.codec == PictureCodec::kH264 ? "h264" : "jpeg", r.key ? 1 : 0, r.width, r.height, r.bytes,
                            1e3 * r.draw, 1e3 * r.read, 1e3 * r.encode, 1e3 * r.send);
    return text;
}

std::string ServeTimes::finish() {
    const std::lock_guard lock{mutex_};
    if (file_) {
        OutputFile file{file_->asked()};
        file.write(csv());
        file.commit();
    }
    if (rows_.size() < 2) return {};
    const double seconds = rows_.back().seconds - rows_.front().seconds;
    std::int64_t steps = 0;  // steps restart at 0 with another scene
    for (std::size_t i = 1; i < rows_.size(); ++i)
        steps += std::max<std::int64_t>(0, rows_[i].step - rows_[i - 1].step);
    const double draw = median_ms(&Row::draw), read = median_ms(&Row::read), encode = median_ms(&Row::encode),
                 send = median_ms(&Row::send);
    return fmt::format(
        "{} frames in {:.1f} s, {:.1f} per second; a frame takes {:.1f} ms: draw {:.1f}, read back {:.1f}, encode "
        "{:.1f}, send {:.1f}; {:.1f} steps per second",
        rows_.size(), seconds, static_cast<double>(rows_.size() - 1) / seconds, draw + read + encode + send, draw, read,
        encode, send, static_cast<double>(steps) / seconds);
}

namespace {

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

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors ";
constexpr const char* kRefusal =
    "<p>This browser is not authorised. The link that the program printed works for one browser; for another one, "
    "the program has printed a new link.</p><form><label>Token <input name=token type=password></label> "
    "<button>Open</button></form>";

/// A header; empty if it is absent or longer than legitimate ones.
std::string header(lws* wsi, lws_token_indexes which) {
    std::array<char, 2048> text{};
    const int length = lws_hdr_copy(wsi, text.data(), static_cast<int>(text.size()), which);
    return length > 0 ? std::string{text.data(), static_cast<std::size_t>(length)} : std::string{};
}

/// Headers of a response, in the memory layout that libwebsockets requires.
class Headers {
public:
    Headers(lws* wsi, std::string ancestors) : wsi_{wsi}, ancestors_{std::move(ancestors)} {}

    Headers& begin(unsigned status, const char* type, lws_filepos_t length) {
        good_ &= lws_add_http_common_headers(wsi_, status, type, length, &at_, end()) == 0;
        add("Content-Security-Policy:", std::string{kPolicy} + ancestors_);
        add("X-Content-Type-Options:", "nosniff");
        add("Referrer-Policy:", "no-referrer");
        return add("Cache-Control:", "no-store");
    }
    Headers& add(const char* name, std::string_view value) {
        good_ &= lws_add_http_header_by_name(wsi_, reinterpret_cast<const unsigned char*>(name),
                                             reinterpret_cast<const unsigned char*>(value.data()),
                                             static_cast<int>(value.size()), &at_, end()) == 0;
        return *this;
    }
    bool send() { return good_ && lws_finalize_write_http_header(wsi_, start(), &at_, end()) == 0; }

private:
    unsigned char* start() { return bytes_.data() + LWS_PRE; }
    unsigned char* end() { return bytes_.data() + bytes_.size(); }
    lws* wsi_;
    std::string ancestors_;
    std::array<unsigned char, LWS_PRE + 2048> bytes_{};
    unsigned char* at_ = start();
    bool good_ = true;
};

bool asks_for_head(lws* wsi) { return lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0; }

int refuse(lws* wsi, unsigned status, const char* text) {
    if (asks_for_head(wsi)) {
        if (!Headers{wsi, "'none'"}.begin(status, "text/html", 0).send()) return -1;
    } else {
        lws_return_http_status(wsi, status, text);
    }
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

Answers::Answers(const AnswersConfig& config, const MadeFiles& made)
    : config_{config}, access_{config.port, config.lasting}, made_{made}, page_(LWS_PRE, '\0') {
    page_ += assets::file("serve/page.html");
}

/// Behind a proxy, the page has the host of the base, not that of the Host header.
std::string Answers::ancestors(lws* wsi) const {
    if (!config_.framed) return "'none'";
    return framing_hosts(config_.base ? config_.base->host() : header(wsi, WSI_TOKEN_HOST));
}

const std::string& Answers::base_path() const {
    static const std::string root = "/";
    return config_.base ? config_.base->path : root;
}

bool Answers::known(lws* wsi) const { return access_.admits(header(wsi, WSI_TOKEN_HTTP_COOKIE)); }

bool Answers::may_watch(lws* wsi) const {
    return known(wsi) && same_origin(header(wsi, WSI_TOKEN_ORIGIN), header(wsi, WSI_TOKEN_HOST),
                                     config_.encrypted ? Encrypted::kYes : Encrypted::kNo,
                                     config_.base ? config_.base->origin : std::string{});
}

int Answers::begin(lws* wsi, std::string_view path) {
    constexpr std::string_view kFiles = "/file/";
    const bool head = asks_for_head(wsi);
    if (!head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, nullptr);
    const std::string& base = base_path();
    const bool without_slash = path.size() + 1 == base.size() && base.starts_with(path);
    path = without_slash ? "/" : below_base(path, base);
    std::array<char, 128> token{};
    const char* brought = lws_get_urlarg_by_name(wsi, "token=", token.data(), static_cast<int>(token.size()));
    if (path == "/" && brought && !head) {  // a HEAD request, as for a preview, does not spend the token
        if (const auto secret = access_.redeem(brought)) {
            if (config_.lasting.empty()) spent_(access_.token());
            return give_secret(wsi, *secret);
        }
    }
    if (!known(wsi)) return refuse(wsi, HTTP_STATUS_FORBIDDEN, kRefusal);
    if (path == "/") return brought || without_slash ? give_secret(wsi, {}) : give_page(wsi);
    if (path.starts_with(kFiles)) return give_file(wsi, path.substr(kFiles.size()));
    return refuse(wsi, HTTP_STATUS_NOT_FOUND, nullptr);
}

/// Redirects to the page without the token, which would remain in the browser's history. `secret` is empty if the
/// browser has one already. Without a base, the address is relative, because a proxy may have put this page below any
/// path.
int Answers::give_secret(lws* wsi, const std::string& secret) {
    Headers headers{wsi, ancestors(wsi)};
    headers.begin(HTTP_STATUS_SEE_OTHER, "text/plain", 0).add("Location:", config_.base ? config_.base->path : "./");
    const bool secure = config_.base ? config_.base->encrypted() : config_.encrypted;
    if (!secret.empty())
        headers.add("Set-Cookie:", fmt::format("{}={}; Path={}; HttpOnly; SameSite=Strict{}", access_.cookie_name(),
                                               secret, base_path(), secure ? "; Secure" : ""));
    if (!headers.send()) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

int Answers::give_page(lws* wsi) {
    Headers headers{wsi, ancestors(wsi)};
    if (!headers.begin(HTTP_STATUS_OK, "text/html; charset=utf-8", page_.size() - LWS_PRE).send()) return -1;
    if (asks_for_head(wsi)) return lws_http_transaction_completed(wsi) ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

int Answers::send_page(lws* wsi) {
    const std::size_t length = page_.size() - LWS_PRE;
    auto* text = reinterpret_cast<unsigned char*>(page_.data()) + LWS_PRE;
    if (lws_write(wsi, text, length, LWS_WRITE_HTTP_FINAL) != static_cast<int>(length)) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

int Answers::give_file(lws* wsi, std::string_view id) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    const auto path = error == std::errc{} && end == id.data() + id.size() ? made_.find(number) : std::nullopt;
    if (!path) return refuse(wsi, HTTP_STATUS_NOT_FOUND, nullptr);
    const std::string disposition = content_disposition(path->filename().string());
    if (asks_for_head(wsi)) {
        std::error_code missing;
        const std::uint64_t size = std::filesystem::file_size(*path, missing);
        if (missing) return refuse(wsi, HTTP_STATUS_NOT_FOUND, nullptr);
        Headers head{wsi, ancestors(wsi)};
        head.begin(HTTP_STATUS_OK, "application/octet-stream", size).add("Content-Disposition:", disposition);
        return head.send() && !lws_http_transaction_completed(wsi) ? 0 : -1;
    }
    const std::string headers =
        fmt::format("Content-Disposition: {}\r\nX-Content-Type-Options: nosniff\r\n", disposition);
    const int sent = lws_serve_http_file(wsi, path->c_str(), "application/octet-stream", headers.data(),
                                         static_cast<int>(headers.size()));
    return sent < 0 || (sent > 0 && lws_http_transaction_completed(wsi)) ? -1 : 0;
}

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

/// An address by which other machines reach this one: the source address of packets to other networks, otherwise the
/// first that is not a loopback address. Empty if there is none.
std::string address_from_elsewhere() {
    const std::string routed = address_of_default_route();
    return routed.empty() ? address_of_first_interface() : routed;
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
    sockaddr_storage bound{};
    socklen_t length = sizeof bound;
    getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &length);
    return {.text = numeric(found->ai_addr, found->ai_addrlen),
            .port = port_of(bound),
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
    const auto included = [&](const std::string& one) {
        return one == address.text || (address.ipv6 && address.any && one == "0.0.0.0");
    };
    if (std::ranges::find(found, address.text) != found.end() && std::ranges::all_of(found, included)) return;
    environment_error(fmt::format("port {} of {}: the system listens on {} instead; the window is not served", port,
                                  address.text,
                                  found.empty() ? "no address" : fmt::format("{}", fmt::join(found, ", "))));
}

std::string url_host(std::string_view address) {
    return address.find(':') == std::string_view::npos ? std::string{address} : fmt::format("[{}]", address);
}

}  // namespace orrery
