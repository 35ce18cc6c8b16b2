// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// Who may watch: a browser that brings the one-time token of the link gets a secret of its own, as a cookie, with
/// which it also comes back. Not thread-safe: the network's thread alone asks.
class Access {
public:
    explicit Access(int port);

    const std::string& token() const { return token_; }  ///< of the next link
    /// The secret for a browser with this token, which is then spent; nothing if it is not the one.
    std::optional<std::string> redeem(std::string_view token);
    /// Whether one of the secrets is in this `Cookie` header.
    bool knows(std::string_view cookies) const;
    const std::string& cookie_name() const { return cookie_name_; }  ///< browsers keep cookies by host, not by port

private:
    static constexpr std::size_t kMost = 64;  ///< secrets; the oldest is forgotten
    std::string cookie_name_, token_;
    std::deque<std::string> secrets_;
};

/// 128 bits of the system's random numbers in hexadecimal digits. Throws Error{kEnvironment} if there are none.
std::string random_secret();
/// In a time that does not depend on where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);
enum class Encrypted : bool { kNo, kYes };
/// Whether the page of this `Origin` header came from the server that the `Host` header names. Where nothing is
/// encrypted here, the page may still be, by a proxy in front; where it is, a plain page is another's.
bool same_origin(std::string_view origin, std::string_view host, Encrypted encrypted);
/// Who may show the page in a frame, for frame-ancestors of a Content-Security-Policy: pages of the same host at any
/// port. Nobody, where this `Host` header has no name that such a policy can hold.
std::string framing_hosts(std::string_view host);

/// The value of this name in a `Cookie` header; empty if there is none.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

}  // namespace orrery
