// SPDX-License-Identifier: MIT
#include "app/serve/server.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace orrery {
namespace {

/// Listens on all IPv6 and IPv4 addresses, as libwebsockets did.
Descriptor listens_everywhere(int& port) {
    Descriptor socket{::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in6 all{};
    all.sin6_family = AF_INET6;
    socklen_t length = sizeof all;
    auto* address = reinterpret_cast<sockaddr*>(&all);
    if (bind(socket.get(), address, length) != 0 || listen(socket.get(), 1) != 0) return {};
    getsockname(socket.get(), address, &length);
    port = ntohs(all.sin6_port);
    return socket;
}

TEST(ServeListening, AddressesAreRecognised) {
    const ListenAddress usual = listen_address("127.0.0.1", 0);
    EXPECT_TRUE(usual.loopback && !usual.any && !usual.ipv6);
    EXPECT_EQ(listen_address("127.1", 0).text, "127.0.0.1");
    EXPECT_TRUE(listen_address("127.0.0.2", 0).loopback);
    const ListenAddress all = listen_address("0.0.0.0", 0);
    EXPECT_TRUE(all.any && !all.loopback && !all.ipv6);
    EXPECT_THROW(listen_address("nowhere", 0), Error);
    EXPECT_THROW(listen_address("192.0.2.1", 0), Error);
    EXPECT_EQ(url_host("127.0.0.1"), "127.0.0.1");
    EXPECT_EQ(url_host("::1"), "[::1]");
}

TEST(ServeListening, RefusesASocketOnOtherAddresses) {
    int port = 0;
    const Descriptor everywhere = listens_everywhere(port);
    if (!everywhere) GTEST_SKIP() << "no IPv6 here";
    EXPECT_EQ(listening_addresses(port), std::vector<std::string>{"::"});
    EXPECT_NO_THROW(require_only({.text = "::", .ipv6 = true, .any = true}, port));
    EXPECT_THROW(require_only({.text = "127.0.0.1", .loopback = true}, port), Error);
    EXPECT_THROW(require_only({.text = "127.0.0.1", .loopback = true}, 1), Error) << "nothing listens on this port";
}

}  // namespace
}  // namespace orrery
