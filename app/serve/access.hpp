// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// Access control. A browser that presents the one-time token of the link gets a secret as a cookie, which also admits
/// it later. Not thread-safe: used only by the network thread.
class Access {
public:
    /// `lasting`: a token that can be redeemed any number of times, besides those of the links; empty: none.
    explicit Access(int port, std::string lasting = {});

    const std::string& token() const { return token_; }  ///< of the next link
    /// Returns a secret for a browser with this token, and invalidates a one-time token; nothing if the token is
    /// invalid.
    std::optional<std::string> redeem(std::string_view token);
    /// True if this `Cookie` header contains a valid secret.
    bool admits(std::string_view cookies) const;
    const std::string& cookie_name() const { return cookie_name_; }  ///< with the port: cookies are kept by host alone

private:
    static constexpr std::size_t kMost = 64;  ///< maximum number of secrets; the oldest is discarded
    std::string cookie_name_, lasting_, token_;
    std::deque<std::string> secrets_;
};

enum class Encrypted : bool { kNo, kYes };
/// True if the page of this `Origin` header came from this server: the one named by the `Host` header, with this
/// server's scheme, or `proxied`, the origin of a proxy in front of it (empty: none).
bool same_origin(std::string_view origin, std::string_view host, Encrypted encrypted, std::string_view proxied = {});
/// The value of frame-ancestors in a Content-Security-Policy: pages of the same host at any port may embed the page.
/// 'none' if the name in this `Host` header cannot be written in such a policy.
std::string framing_hosts(std::string_view host);

/// The token in the file of --token-file, without surrounding white space. A missing file is created with a new token,
/// readable only by its user. Throws Error{kUsage} for a token that is too short or has characters other than letters,
/// digits and ._~-, or a file that others can read; Error{kEnvironment} if it cannot be read or written.
std::string token_of_file(const std::filesystem::path& path);

/// The address by which browsers reach the program through a proxy, such as https://hub.example/user/me/proxy/8080/.
struct BaseUrl {
    std::string origin;      ///< scheme, host and port, as in an Origin header: "https://hub.example"
    std::string path = "/";  ///< begins and ends with a slash
    bool encrypted() const { return origin.starts_with("https:"); }
    std::string host() const { return origin.substr(origin.find("//") + 2); }  ///< with the port, if there is one
};

/// Throws Error{kUsage} unless the text is an absolute http or https URL without user, query and fragment.
BaseUrl base_url(std::string_view text);

/// The part of a request's path below the base, with a leading slash. A proxy may keep or remove the base.
std::string_view below_base(std::string_view path, std::string_view base_path);

}  // namespace orrery
