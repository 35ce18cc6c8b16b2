// SPDX-License-Identifier: MIT
#include "app/serve/messages.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

namespace orrery {
namespace {

std::optional<ViewerMessage> parsed(std::vector<std::uint8_t> bytes) { return parse_message(bytes); }

TEST(ServeMessages, DecodeAllFields) {
    const auto hello = std::get<Hello>(*parsed({1, 1, 1, 0x00, 0x05, 0xd0, 0x02, 150, 0}));
    EXPECT_EQ(hello.version, 1);
    EXPECT_TRUE(hello.h264);
    EXPECT_EQ(hello.size.width, 1280);
    EXPECT_EQ(hello.size.height, 720);
    EXPECT_FLOAT_EQ(hello.size.scale, 1.5f);
    EXPECT_EQ(std::get<Shown>(*parsed({2, 0x78, 0x56, 0x34, 0x12})).serial, 0x12345678u);
    const auto button = std::get<PointerButton>(*parsed({4, 2, 1, 3, 0, 0, 1}));
    EXPECT_EQ(button.button, 2);
    EXPECT_TRUE(button.down);
    EXPECT_EQ(button.x, 3);
    EXPECT_EQ(button.y, 256);
    EXPECT_DOUBLE_EQ(std::get<Wheel>(*parsed({5, 0x88, 0xff})).notches, -1);
    EXPECT_EQ(std::get<KeyStroke>(*parsed({6, 0, 1, 1, 3})).key, 256);
    EXPECT_EQ(std::get<KeyStroke>(*parsed({6, 89, 0, 1, 2, 'z', 0, 0, 0})).sign, U'z');
    EXPECT_FALSE(parsed({6, 89, 0, 1, 2, 'z', 0}));
    EXPECT_EQ(std::get<Typed>(*parsed({7, 0xc3, 0xa9})).text, "é");
    EXPECT_EQ(std::get<FileBegins>(*parsed({12, 5, 0, 0, 0, 0, 0, 0, 1, 'a'})).size, 0x0100000000000005u);
    EXPECT_EQ(std::get<FilePart>(*parsed({13, 0, 255})).bytes.size(), 2u);
}

TEST(ServeMessages, RefuseMissingSurplusOrOutOfRangeFields) {
    const std::vector<std::vector<std::uint8_t>> all{{1, 1, 1, 0, 5, 0xd0, 2, 150, 0},
                                                     {2, 1, 2, 3, 4},
                                                     {3, 1, 0, 1, 0},
                                                     {4, 0, 1, 1, 0, 1, 0},
                                                     {5, 1, 0},
                                                     {6, 65, 0, 1, 0},
                                                     {9, 0, 5, 0, 3, 100, 0},
                                                     {10},
                                                     {11}};
    for (std::vector<std::uint8_t> bytes : all) {
        ASSERT_TRUE(parsed(bytes)) << int{bytes[0]};
        bytes.push_back(0);
        EXPECT_FALSE(parsed(bytes)) << int{bytes[0]};
        bytes.resize(bytes.size() - 2);
        EXPECT_FALSE(parsed(bytes));
    }
    EXPECT_FALSE(parsed({}));
    EXPECT_FALSE(parsed({0}));
    EXPECT_FALSE(parsed({14}));
    EXPECT_FALSE(parsed({4, 3, 1, 1, 0, 1, 0}));     // a fourth button
    EXPECT_FALSE(parsed({6, 0, 2, 1, 0}));           // not a GLFW key
    EXPECT_FALSE(parsed({9, 63, 0, 0, 3, 100, 0}));  // below the minimum width
    EXPECT_FALSE(parsed(std::vector<std::uint8_t>(kLongestMessage + 1, 13)));
}

TEST(ServeMessages, OfAnotherVersionDecodeTheVersion) {
    for (const auto& bytes : {std::vector<std::uint8_t>{1, 2}, {1, 2, 0, 0, 5, 0xd0, 2, 150, 0}, {1, 2, 9, 9}}) {
        const auto message = parsed(bytes);
        ASSERT_TRUE(message);
        EXPECT_EQ(std::get<Hello>(*message).version, 2);
    }
}

TEST(ServeMessages, AcceptOnlyUtf8Text) {
    for (const std::string text : {"a", "é", "€", "😀"}) {
        std::vector<std::uint8_t> bytes{7};
        bytes.insert(bytes.end(), text.begin(), text.end());
        EXPECT_TRUE(parsed(bytes)) << text;
        bytes.pop_back();
        EXPECT_FALSE(parsed(bytes)) << text;
    }
    EXPECT_FALSE(parsed({7, 'a', 0}));
    EXPECT_FALSE(parsed({7, 0xc0, 0x80}));              // overlong encoding
    EXPECT_FALSE(parsed({7, 0xed, 0xa0, 0x80}));        // lone surrogate
    EXPECT_FALSE(parsed({7, 0xf4, 0x90, 0x80, 0x80}));  // beyond Unicode
}

TEST(ServeMessages, RandomBytesAreParsedOrRefused) {
    std::minstd_rand random{1};
    int good = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::vector<std::uint8_t> bytes(random() % 20);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 8);
        if (!bytes.empty() && i % 2 == 0) bytes[0] = static_cast<std::uint8_t>(1 + random() % 13);
        if (parsed(bytes)) ++good;
    }
    EXPECT_GT(good, 100);
    EXPECT_LT(good, 50'000);
}

TEST(ServeMessages, FuzzingCorpusContainsEveryKind) {
    std::set<std::size_t> seen;
    for (const auto& entry : std::filesystem::directory_iterator{std::filesystem::path{ORRERY_CORPUS} / "viewer"}) {
        std::ifstream file{entry.path(), std::ios::binary};
        const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>{file}, {}};
        if (const auto message = parse_message(bytes)) seen.insert(message->index());
    }
    EXPECT_EQ(seen.size(), std::variant_size_v<ViewerMessage>);
}

TEST(ServeMessages, PictureHeaderIsEncodedInFull) {
    const std::string bytes = header_bytes({PictureCodec::kH264, true, 1, 2, 3, 1280, 720});
    EXPECT_EQ(bytes.size(), PictureHeader::kBytes);
    EXPECT_EQ(static_cast<unsigned char>(bytes[15]), 0x00);
    EXPECT_EQ(static_cast<unsigned char>(bytes[16]), 0x05);
}

}  // namespace
}  // namespace orrery
