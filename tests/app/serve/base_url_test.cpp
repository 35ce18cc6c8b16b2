// SPDX-License-Identifier: MIT
#include "app/serve/access.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace orrery {
namespace {

TEST(ServeBaseUrl, NormalisesOriginAndPath) {
    const BaseUrl hub = base_url("HTTPS://Hub.Example:443/user/me/proxy/8080");
    EXPECT_EQ(hub.origin, "https://hub.example");
    EXPECT_EQ(hub.host(), "hub.example");
    EXPECT_EQ(hub.path, "/user/me/proxy/8080/");
    EXPECT_TRUE(hub.encrypted());
    EXPECT_EQ(base_url("http://a:8000").origin, "http://a:8000");
    EXPECT_EQ(base_url("http://a:8000").path, "/");
    EXPECT_EQ(base_url("http://[::1]:80/x/").origin, "http://[::1]");
}

TEST(ServeBaseUrl, RefusesAnythingButAPageAddress) {
    for (const char* bad : {"", "/user/me/", "hub.example", "ftp://hub.example/", "https://", "https:///x",
                            "https://:80/", "https://u@hub/", "https://hub/?a", "https://hub/#a", "https://hub/a b",
                            "https://hub/a;b", "https://hub/a\r\nb"})
        EXPECT_THROW(base_url(bad), Error) << bad;
}

TEST(ServeBaseUrl, IsStrippedFromPathsIfPresent) {
    EXPECT_EQ(below_base("/p/", "/p/"), "/");
    EXPECT_EQ(below_base("/p/file/1", "/p/"), "/file/1");
    EXPECT_EQ(below_base("/file/1", "/p/"), "/file/1");
    EXPECT_EQ(below_base("/file/1", "/"), "/file/1");
}

}  // namespace
}  // namespace orrery
