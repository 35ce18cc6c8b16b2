// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// Who may watch: a browser that brings the one-time token of the link gets a secret of its own, as a cookie, with
/// which it also comes back. Not thread-safe: the network's thread alone asks.
class Access {
public:
    /// `lasting`: a token that gives a secret every time, beside those of the links; empty: none.
    explicit Access(int port, std::string lasting = {});

    const std::string& token() const { return token_; }  ///< of the next link
    /// The secret for a browser with this token, which is then spent unless it lasts; nothing if it is neither.
    std::optional<std::string> redeem(std::string_view token);
    /// Whether one of the secrets is in this `Cookie` header.
    bool knows(std::string_view cookies) const;
    const std::string& cookie_name() const { return cookie_name_; }  ///< browsers keep cookies by host, not by port

private:
    static constexpr std::size_t kMost = 64;  ///< secrets; the oldest is forgotten
    std::string cookie_name_, lasting_, token_;
    std::deque<std::string> secrets_;
};

/// 128 bits of the system's random numbers in hexadecimal digits. Throws Error{kEnvironment} if there are none.
std::string random_secret();
/// In a time that does not depend on where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);
enum class Encrypted : bool { kNo, kYes };
/// Whether the page of this `Origin` header came from this server: the one that the `Host` header names, by the scheme
/// of this server, or `proxied`, the origin of a proxy in front of it (empty: there is none).
bool same_origin(std::string_view origin, std::string_view host, Encrypted encrypted, std::string_view proxied = {});
/// Who may show the page in a frame, for frame-ancestors of a Content-Security-Policy: pages of the same host at any
/// port. Nobody, where this `Host` header has no name that such a policy can hold.
std::string framing_hosts(std::string_view host);

/// The token of --token-file: what the file holds, without white space around it. A file that does not exist is written
/// with a new token, for its user alone. Throws Error{kUsage} for a token that is too short or has other characters
/// than letters, digits and ._~-, or a file that others can read; Error{kEnvironment} if it cannot be read or written.
std::string token_of_file(const std::filesystem::path& path);

/// The value of this name in a `Cookie` header; empty if there is none.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

}  // namespace orrery
