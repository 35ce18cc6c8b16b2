// SPDX-License-Identifier: MIT
#include "app/serve/access.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

bool is_host_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view{".-:[]"}.find(c) != std::string_view::npos;
}

/// Characters of a path in RFC 3986 that a cookie's Path attribute allows: no semicolon.
bool is_path_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view{"/._~!$&'()*+,=:@%-"}.find(c) != std::string_view::npos;
}

/// 128 random bits from the system, in hexadecimal digits. Throws Error{kEnvironment} if there are none.
std::string random_secret() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        environment_error("serve: the system provides no random numbers");
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

/// Compares in a time that does not depend on the position of the first difference.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned different = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return different == 0;
}

/// The value of this cookie in a `Cookie` header; empty if there is none.
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

}  // namespace

bool same_origin(std::string_view origin, std::string_view host, Encrypted encrypted, std::string_view proxied) {
    if (!proxied.empty() && origin == proxied) return true;
    const std::string_view scheme = encrypted == Encrypted::kYes ? "https://" : "http://";
    return !host.empty() && origin.starts_with(scheme) && origin.substr(scheme.size()) == host;
}

std::string framing_hosts(std::string_view host) {
    const std::string_view name = host.substr(0, host.rfind(':'));
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    };
    if (name.empty() || !std::ranges::all_of(name, plain)) return "'none'";
    return fmt::format("http://{0}:* https://{0}:*", name);
}

std::string token_of_file(const std::filesystem::path& path) {
    constexpr std::size_t kLeast = 16, kMost = 100;
    const auto fails = [&] {
        environment_error(fmt::format("--token-file {}: {}", path.string(), std::strerror(errno)));
    };
    Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file && errno == ENOENT) {
        const std::string token = random_secret(), line = token + '\n';
        file = Descriptor{open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
        if (!file || !file.write(std::as_bytes(std::span{line})) || !file.close()) fails();
        return token;
    }
    struct stat found {};
    if (!file || fstat(file.get(), &found) != 0) fails();
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        usage_error(fmt::format("--token-file {}: other users may read it; run chmod 600 on it", path.string()));
    std::array<char, 1024> text{};
    const ssize_t length = read(file.get(), text.data(), text.size());
    if (length < 0) fails();
    std::string_view token{text.data(), static_cast<std::size_t>(length)};
    constexpr std::string_view kSpace = " \t\r\n";
    token.remove_prefix(std::min(token.find_first_not_of(kSpace), token.size()));
    token = token.substr(0, token.find_last_not_of(kSpace) + 1);
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) || std::string_view{"._~-"}.find(static_cast<char>(c)) != std::string_view::npos;
    };
    if (token.size() < kLeast || token.size() > kMost || !std::ranges::all_of(token, plain))
        usage_error(fmt::format("--token-file {}: expected a token of {} to {} letters, digits or . _ ~ -",
                                path.string(), kLeast, kMost));
    return std::string{token};
}

Access::Access(int port, std::string lasting)
    : cookie_name_{fmt::format("orrery-{}", port)}, lasting_{std::move(lasting)}, token_{random_secret()} {}

std::optional<std::string> Access::redeem(std::string_view token) {
    const bool lasts = !lasting_.empty() && equal_in_constant_time(token, lasting_);
    if (!lasts && !equal_in_constant_time(token, token_)) return std::nullopt;
    if (!lasts) token_ = random_secret();
    if (secrets_.size() == kMost) secrets_.pop_front();
    return secrets_.emplace_back(random_secret());
}

bool Access::admits(std::string_view cookies) const {
    const std::string_view brought = cookie_value(cookies, cookie_name_);
    return std::ranges::any_of(secrets_, [&](const std::string& s) { return equal_in_constant_time(brought, s); });
}

BaseUrl base_url(std::string_view text) {
    const auto refuse = [&] {
        usage_error(
            fmt::format("--base-url {}: expected an address such as https://hub.example/user/me/proxy/8080/, without "
                        "query and fragment",
                        text));
    };
    BaseUrl url;
    const std::size_t scheme_end = text.find("://");
    if (scheme_end == std::string_view::npos) refuse();
    std::string scheme{text.substr(0, scheme_end)};
    std::ranges::transform(scheme, scheme.begin(), [](unsigned char c) { return std::tolower(c); });
    if (scheme != "http" && scheme != "https") refuse();
    const std::string_view rest = text.substr(scheme_end + 3);
    const std::size_t host_end = std::min(rest.find('/'), rest.size());
    std::string host{rest.substr(0, host_end)};
    std::ranges::transform(host, host.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::string_view default_port = scheme == "https" ? ":443" : ":80";
    if (host.ends_with(default_port)) host.erase(host.size() - default_port.size());
    const std::string_view path = rest.substr(host_end);
    if (host.empty() || host.front() == ':' || !std::ranges::all_of(host, is_host_char) ||
        !std::ranges::all_of(path, is_path_char))
        refuse();
    url.origin = scheme + "://" + host;
    url.path = path;
    if (!url.path.ends_with('/')) url.path += '/';
    return url;
}

std::string_view below_base(std::string_view path, std::string_view base_path) {
    if (path.starts_with(base_path)) return path.substr(base_path.size() - 1);
    return path;
}

}  // namespace orrery
