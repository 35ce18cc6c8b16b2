// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

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
