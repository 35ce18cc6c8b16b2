// SPDX-License-Identifier: MIT
#include "app/serve/answers.hpp"

#include <fmt/format.h>
#include <libwebsockets.h>

#include <array>
#include <charconv>

#include "assets/assets.hpp"

namespace orrery {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors ";
constexpr const char* kRefusal =
    "<p>This browser may not watch. The link that the program printed is for one browser; for another one it has "
    "printed another.</p>";

/// A header, or nothing if it is absent or longer than any that is meant well.
std::string header(lws* wsi, lws_token_indexes which) {
    std::array<char, 2048> text{};
    const int length = lws_hdr_copy(wsi, text.data(), static_cast<int>(text.size()), which);
    return length > 0 ? std::string{text.data(), static_cast<std::size_t>(length)} : std::string{};
}

/// Headers of an answer, in the memory that libwebsockets wants.
class Headers {
public:
    Headers(lws* wsi, bool framed)
        : wsi_{wsi}, ancestors_{framed ? framing_hosts(header(wsi, WSI_TOKEN_HOST)) : "'none'"} {}

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

int refuse(lws* wsi, unsigned status, const char* words) {
    lws_return_http_status(wsi, status, words);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

}  // namespace

Answers::Answers(int port, bool encrypted, bool framed, const MadeFiles& made)
    : access_{port}, encrypted_{encrypted}, framed_{framed}, made_{made}, page_(LWS_PRE, '\0') {
    page_ += assets::file("serve/page.html");
}

bool Answers::known(lws* wsi) const { return access_.knows(header(wsi, WSI_TOKEN_HTTP_COOKIE)); }

bool Answers::may_watch(lws* wsi) const {
    return known(wsi) && same_origin(header(wsi, WSI_TOKEN_ORIGIN), header(wsi, WSI_TOKEN_HOST),
                                     encrypted_ ? Encrypted::kYes : Encrypted::kNo);
}

int Answers::begin(lws* wsi, std::string_view path) {
    constexpr std::string_view kFiles = "/file/";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, nullptr);
    std::array<char, 128> token{};
    const char* brought = lws_get_urlarg_by_name(wsi, "token=", token.data(), static_cast<int>(token.size()));
    if (path == "/" && brought) {
        if (const auto secret = access_.redeem(brought)) {
            spent_(access_.token());
            return give_secret(wsi, *secret);
        }
    }
    if (!known(wsi)) return refuse(wsi, HTTP_STATUS_FORBIDDEN, kRefusal);
    if (path == "/") return brought ? give_secret(wsi, {}) : give_page(wsi);
    if (path.starts_with(kFiles)) return give_file(wsi, path.substr(kFiles.size()));
    return refuse(wsi, HTTP_STATUS_NOT_FOUND, nullptr);
}

/// Back to the page without the token, which would stay in the browser's history. Without a secret: it has one.
int Answers::give_secret(lws* wsi, const std::string& secret) {
    Headers headers{wsi, framed_};
    headers.begin(HTTP_STATUS_SEE_OTHER, "text/plain", 0).add("Location:", "/");
    if (!secret.empty())
        headers.add("Set-Cookie:", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}", access_.cookie_name(),
                                               secret, encrypted_ ? "; Secure" : ""));
    if (!headers.send()) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

int Answers::give_page(lws* wsi) {
    Headers headers{wsi, framed_};
    if (!headers.begin(HTTP_STATUS_OK, "text/html; charset=utf-8", page_.size() - LWS_PRE).send()) return -1;
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
    const std::string headers =
        fmt::format("Content-Disposition: attachment; filename=\"{}\"\r\nX-Content-Type-Options: nosniff\r\n",
                    safe_name(path->filename().string()));
    const int sent = lws_serve_http_file(wsi, path->c_str(), "application/octet-stream", headers.data(),
                                         static_cast<int>(headers.size()));
    return sent < 0 || (sent > 0 && lws_http_transaction_completed(wsi)) ? -1 : 0;
}

}  // namespace orrery
