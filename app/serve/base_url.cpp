// SPDX-License-Identifier: MIT
#include "app/serve/base_url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/error.hpp"

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

}  // namespace

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
    if (host.ends_with(default_port)) host.resize(host.size() - default_port.size());
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
