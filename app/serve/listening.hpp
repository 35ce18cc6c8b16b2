// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// An address of this machine to listen on, checked and in its usual form: "127.1" becomes "127.0.0.1".
struct ListenAddress {
    std::string text;
    bool ipv6 = false;
    bool loopback = false;  ///< only this machine reaches it
    bool any = false;       ///< 0.0.0.0 or ::, all addresses of this machine
};

/// Throws Error{kUsage} unless it is a numeric address of IPv4 or IPv6, Error{kEnvironment} if this machine does not
/// have it or the port is taken there. Port 0: any that is free.
ListenAddress listen_address(const std::string& asked, int port);

/// The addresses on which this process listens at this TCP port, as the system tells them.
std::vector<std::string> listening_addresses(int port);

/// Throws Error{kEnvironment} unless this process listens at this port on that address and on no other.
void require_only(const ListenAddress& address, int port);

/// An address by which another machine reaches this one: the one that packets to other networks leave from, else the
/// first that is not of a loopback. Empty if there is none.
std::string address_from_elsewhere();

/// As it stands in a URL: an address of IPv6 in brackets.
std::string url_host(std::string_view address);

}  // namespace orrery
