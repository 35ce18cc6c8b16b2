// SPDX-License-Identifier: MIT
#include "app/serve/access.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

namespace orrery {

std::string random_secret() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        environment_error("serve: the system gives no random numbers");
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned different = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return different == 0;
}

bool same_origin(std::string_view origin, std::string_view host, Encrypted encrypted) {
    for (const std::string_view scheme : {"http://", "https://"})
        if (origin.starts_with(scheme) && (encrypted == Encrypted::kNo || scheme == "https://"))
            return !host.empty() && origin.substr(scheme.size()) == host;
    return false;
}

std::string framing_hosts(std::string_view host) {
    const std::string_view name = host.substr(0, host.rfind(':'));
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    };
    if (name.empty() || !std::ranges::all_of(name, plain)) return "'none'";
    return fmt::format("http://{0}:* https://{0}:*", name);
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
    while (!cookies.empty()) {
        const std::size_t end = std::min(cookies.find(';'), cookies.size());
        std::string_view one = cookies.substr(0, end);
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return one.substr(name.size() + 1);
    }
    return {};
}

Access::Access(int port) : cookie_name_{fmt::format("orrery-{}", port)}, token_{random_secret()} {}

std::optional<std::string> Access::redeem(std::string_view token) {
    if (!equal_in_constant_time(token, token_)) return std::nullopt;
    token_ = random_secret();
    if (secrets_.size() == kMost) secrets_.pop_front();
    return secrets_.emplace_back(random_secret());
}

bool Access::knows(std::string_view cookies) const {
    const std::string_view brought = cookie_value(cookies, cookie_name_);
    return std::ranges::any_of(secrets_, [&](const std::string& s) { return equal_in_constant_time(brought, s); });
}

}  // namespace orrery
