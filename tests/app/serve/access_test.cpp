// SPDX-License-Identifier: MIT
#include "app/serve/access.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ServeAccess, ATokenGivesOneSecretOnce) {
    Access access{8080};
    const std::string token = access.token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_FALSE(access.redeem(""));
    EXPECT_FALSE(access.redeem(token.substr(1)));
    const auto secret = access.redeem(token);
    ASSERT_TRUE(secret);
    EXPECT_FALSE(access.redeem(token));
    EXPECT_NE(access.token(), token);
    EXPECT_TRUE(access.knows("other=1; orrery-8080=" + *secret));
    EXPECT_FALSE(access.knows("orrery-8081=" + *secret));
    EXPECT_FALSE(access.knows("orrery-8080=" + token));
    EXPECT_FALSE(access.knows("orrery-8080="));
    EXPECT_FALSE(access.knows(""));
}

TEST(ServeAccess, TheOldestSecretIsForgotten) {
    Access access{1};
    const auto first = access.redeem(access.token());
    for (int i = 0; i < 63; ++i) ASSERT_TRUE(access.redeem(access.token()));
    EXPECT_TRUE(access.knows("orrery-1=" + *first));
    ASSERT_TRUE(access.redeem(access.token()));
    EXPECT_FALSE(access.knows("orrery-1=" + *first));
}

TEST(ServeAccess, OnlyPagesOfTheSameServerAreOfTheSameOrigin) {
    EXPECT_TRUE(same_origin("http://localhost:8080", "localhost:8080", Encrypted::kNo));
    EXPECT_TRUE(same_origin("https://[::1]:8080", "[::1]:8080", Encrypted::kNo)) << "a proxy encrypts";
    EXPECT_TRUE(same_origin("https://[::1]:8080", "[::1]:8080", Encrypted::kYes));
    EXPECT_FALSE(same_origin("http://localhost:8080", "localhost:8080", Encrypted::kYes));
    for (const char* origin : {"", "null", "localhost:8080", "http://localhost", "http://localhost:80801",
                               "http://evil.example", "ftp://localhost:8080"})
        EXPECT_FALSE(same_origin(origin, "localhost:8080", Encrypted::kNo)) << origin;
    EXPECT_FALSE(same_origin("http://", "", Encrypted::kNo));
}

TEST(ServeAccess, OnlyPagesOfTheSameHostMayFrameThePage) {
    EXPECT_EQ(framing_hosts("localhost:8080"), "http://localhost:* https://localhost:*");
    EXPECT_EQ(framing_hosts("10.0.0.7:80"), "http://10.0.0.7:* https://10.0.0.7:*");
    for (const char* host :
         {"", ":8080", "[::1]:8080", "a b:80", "x; script-src *:80", "*:80", "a\r\nb:1", "evil'none':1"})
        EXPECT_EQ(framing_hosts(host), "'none'") << host;
}

}  // namespace
}  // namespace orrery
