// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// An address of this machine to listen on, checked and in canonical form: "127.1" becomes "127.0.0.1".
struct ListenAddress {
    std::string text;
    int port = 0;  ///< that was free, if any was accepted
    bool ipv6 = false;
    bool loopback = false;  ///< reachable only from this machine
    bool any = false;       ///< 0.0.0.0 or ::, all addresses of this machine
};

/// Throws Error{kUsage} unless it is a numeric IPv4 or IPv6 address, Error{kEnvironment} if this machine does not have
/// it or the port is in use. Port 0: any free port.
ListenAddress listen_address(const std::string& text, int port);

/// The addresses on which this process listens at this TCP port, according to the system.
std::vector<std::string> listening_addresses(int port);

/// Throws Error{kEnvironment} unless this process listens at this port on that address and no other. :: includes the
/// addresses of IPv4.
void require_only(const ListenAddress& address, int port);

/// An address by which other machines reach this one: the source address of packets to other networks, otherwise the
/// first that is not a loopback address. Empty if there is none.
std::string address_from_elsewhere();

/// As in a URL: an IPv6 address in brackets.
std::string url_host(std::string_view address);

}  // namespace orrery
