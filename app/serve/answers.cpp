// SPDX-License-Identifier: MIT
#include "app/serve/answers.hpp"

#include <fmt/format.h>
#include <libwebsockets.h>

#include <array>
#include <charconv>
#include <utility>

#include "assets/assets.hpp"

namespace orrery {
namespace {

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

}  // namespace

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

}  // namespace orrery
