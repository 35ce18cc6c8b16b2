// SPDX-License-Identifier: MIT
#include "app/serve/access.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"

namespace orrery {
namespace {

TEST(ServeAccess, TokenYieldsOneSecretOnce) {
    Access access{8080};
    const std::string token = access.token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_FALSE(access.redeem(""));
    EXPECT_FALSE(access.redeem(token.substr(1)));
    const auto secret = access.redeem(token);
    ASSERT_TRUE(secret);
    EXPECT_FALSE(access.redeem(token));
    EXPECT_NE(access.token(), token);
    EXPECT_TRUE(access.admits("other=1; orrery-8080=" + *secret));
    EXPECT_FALSE(access.admits("orrery-8081=" + *secret));
    EXPECT_FALSE(access.admits("orrery-8080=" + token));
    EXPECT_FALSE(access.admits("orrery-8080="));
    EXPECT_FALSE(access.admits(""));
}

TEST(ServeAccess, ForgetsTheOldestSecret) {
    Access access{1};
    const auto first = access.redeem(access.token());
    for (int i = 0; i < 63; ++i) ASSERT_TRUE(access.redeem(access.token()));
    EXPECT_TRUE(access.admits("orrery-1=" + *first));
    ASSERT_TRUE(access.redeem(access.token()));
    EXPECT_FALSE(access.admits("orrery-1=" + *first));
}

TEST(ServeAccess, OriginMatchesOnlyPagesOfTheSameServer) {
    EXPECT_TRUE(same_origin("http://localhost:8080", "localhost:8080", Encrypted::kNo));
    EXPECT_FALSE(same_origin("https://[::1]:8080", "[::1]:8080", Encrypted::kNo)) << "this server has no TLS";
    EXPECT_TRUE(same_origin("https://hub.example", "127.0.0.1:8080", Encrypted::kNo, "https://hub.example"));
    EXPECT_FALSE(same_origin("https://hub.example.evil", "127.0.0.1:8080", Encrypted::kNo, "https://hub.example"));
    EXPECT_TRUE(same_origin("https://[::1]:8080", "[::1]:8080", Encrypted::kYes));
    EXPECT_FALSE(same_origin("http://localhost:8080", "localhost:8080", Encrypted::kYes));
    for (const char* origin : {"", "null", "localhost:8080", "http://localhost", "http://localhost:80801",
                               "http://evil.example", "ftp://localhost:8080"})
        EXPECT_FALSE(same_origin(origin, "localhost:8080", Encrypted::kNo)) << origin;
    EXPECT_FALSE(same_origin("http://", "", Encrypted::kNo));
}

TEST(ServeAccess, PermanentTokenYieldsASecretPerBrowser) {
    Access access{1, "0123456789abcdef"};
    const std::string link = access.token();
    const auto first = access.redeem("0123456789abcdef"), second = access.redeem("0123456789abcdef");
    ASSERT_TRUE(first && second);
    EXPECT_NE(*first, *second);
    EXPECT_EQ(access.token(), link);
    EXPECT_TRUE(access.admits("orrery-1=" + *first));
    EXPECT_FALSE(Access{1}.redeem("")) << "without a permanent token, an empty one is not valid";
}

TEST(ServeAccess, TokenFileIsCreatedOnceAndRefusedIfReadableByOthers) {
    const std::filesystem::path path = std::filesystem::path{testing::TempDir()} / "orrery-token-test";
    std::filesystem::remove(path);
    const std::string made = token_of_file(path);
    EXPECT_EQ(made.size(), 32u);
    EXPECT_EQ(token_of_file(path), made);
    using std::filesystem::perms;
    EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_read | perms::owner_write);
    std::filesystem::permissions(path, perms::group_read, std::filesystem::perm_options::add);
    EXPECT_THROW(token_of_file(path), Error);
    std::filesystem::permissions(path, perms::group_read, std::filesystem::perm_options::remove);
    for (const char* bad : {"", "short", "sixteen letters are here", "0123456789abcde;"}) {
        std::ofstream{path} << bad;
        EXPECT_THROW(token_of_file(path), Error) << bad;
    }
    std::ofstream{path} << "  0123456789abcdef\n";
    EXPECT_EQ(token_of_file(path), "0123456789abcdef");
    std::filesystem::remove(path);
}

TEST(ServeAccess, OnlyTheSameHostMayFrameThePage) {
    EXPECT_EQ(framing_hosts("localhost:8080"), "http://localhost:* https://localhost:*");
    EXPECT_EQ(framing_hosts("10.0.0.7:80"), "http://10.0.0.7:* https://10.0.0.7:*");
    for (const char* host :
         {"", ":8080", "[::1]:8080", "a b:80", "x; script-src *:80", "*:80", "a\r\nb:1", "evil'none':1"})
        EXPECT_EQ(framing_hosts(host), "'none'") << host;
}

}  // namespace
}  // namespace orrery
