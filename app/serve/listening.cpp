// SPDX-License-Identifier: MIT
#include "app/serve/listening.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/base/error.hpp"
#include "core/base/output_file.hpp"

namespace orrery {
namespace {

std::string numeric(const sockaddr* address, socklen_t length) {
    std::array<char, NI_MAXHOST> host{};
    if (getnameinfo(address, length, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) return {};
    return host.data();
}

int port_of(const sockaddr_storage& address) {
    if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
    if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    return -1;
}

bool is_loopback(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24 == 127;
    const in6_addr& wide = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&wide) || (IN6_IS_ADDR_V4MAPPED(&wide) && wide.s6_addr[12] == 127);
}

bool is_any(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

/// Connecting a datagram socket sends nothing, but makes the system choose the source address.
std::string address_of_default_route() {
    const Descriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    sockaddr_in other{};
    other.sin_family = AF_INET;
    other.sin_port = htons(9);
    inet_pton(AF_INET, "192.0.2.1", &other.sin_addr);  // RFC 5737: assigned to no machine
    sockaddr_in own{};
    socklen_t length = sizeof own;
    if (!socket || connect(socket.get(), reinterpret_cast<sockaddr*>(&other), sizeof other) != 0 ||
        getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0)
        return {};
    return numeric(reinterpret_cast<sockaddr*>(&own), length);
}

std::string address_of_first_interface() {
    ifaddrs* found = nullptr;
    if (getifaddrs(&found) != 0) return {};
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned{found, freeifaddrs};
    for (const ifaddrs* one = found; one; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP) != 0 &&
            (one->ifa_flags & IFF_LOOPBACK) == 0)
            return numeric(one->ifa_addr, sizeof(sockaddr_in));
    return {};
}

}  // namespace

ListenAddress listen_address(const std::string& text, int port) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    const std::string service = fmt::format("{}", port);
    if (getaddrinfo(text.c_str(), service.c_str(), &hints, &found) != 0)
        usage_error(fmt::format("--bind {}: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0", text));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned{found, freeaddrinfo};
    Descriptor socket{::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol)};
    const int one = 1;
    setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(socket.get(), 1) != 0)
        environment_error(fmt::format("port {} of {}: {}", port, text, std::strerror(errno)));
    sockaddr_storage bound{};
    socklen_t length = sizeof bound;
    getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &length);
    return {.text = numeric(found->ai_addr, found->ai_addrlen),
            .port = port_of(bound),
            .ipv6 = found->ai_family == AF_INET6,
            .loopback = is_loopback(found->ai_addr),
            .any = is_any(found->ai_addr)};
}

std::vector<std::string> listening_addresses(int port) {
    std::vector<std::string> addresses;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd", error}) {
        const std::string name = entry.path().filename().string();
        int number = -1, listens = 0;
        std::from_chars(name.data(), name.data() + name.size(), number);
        socklen_t length = sizeof listens;
        if (getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || listens == 0) continue;
        sockaddr_storage address{};
        length = sizeof address;
        if (getsockname(number, reinterpret_cast<sockaddr*>(&address), &length) == 0 && port_of(address) == port)
            addresses.push_back(numeric(reinterpret_cast<sockaddr*>(&address), length));
    }
    return addresses;
}

void require_only(const ListenAddress& address, int port) {
    const std::vector<std::string> found = listening_addresses(port);
    const auto included = [&](const std::string& one) {
        return one == address.text || (address.ipv6 && address.any && one == "0.0.0.0");
    };
    if (std::ranges::find(found, address.text) != found.end() && std::ranges::all_of(found, included)) return;
    environment_error(fmt::format("port {} of {}: the system listens on {} instead; the window is not served", port,
                                  address.text,
                                  found.empty() ? "no address" : fmt::format("{}", fmt::join(found, ", "))));
}

std::string address_from_elsewhere() {
    const std::string routed = address_of_default_route();
    return routed.empty() ? address_of_first_interface() : routed;
}

std::string url_host(std::string_view address) {
    return address.find(':') == std::string_view::npos ? std::string{address} : fmt::format("[{}]", address);
}

}  // namespace orrery
