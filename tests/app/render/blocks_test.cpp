// SPDX-License-Identifier: MIT
// Frames that share blocks of bodies with the previous frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

std::vector<float> masses_of(const SharedBuffer& buffer) {
    std::vector<float> all(buffer.count());
    glGetNamedBufferSubData(buffer.masses(), 0, static_cast<GLsizeiptr>(all.size() * sizeof(float)), all.data());
    return all;
}

/// For each stamp a fixed number of bodies with fixed positions and masses.
Frame frame_of(const std::vector<std::uint64_t>& stamps, bool lights) {
    Frame frame;
    auto blocks = std::make_shared<std::vector<FrameBlock>>();
    auto masses = std::make_shared<std::vector<float>>();
    for (const std::uint64_t stamp : stamps) {
        const std::size_t count = 1 + stamp * 7 % 50;
        blocks->push_back({stamp, count});
        for (std::size_t i = 0; i < count; ++i) {
            frame.host.push_back({static_cast<float>(stamp), static_cast<float>(i), 0, 1});
            masses->push_back(static_cast<float>(stamp) + 0.01f * static_cast<float>(i));
        }
    }
    frame.count = frame.host.size();
    frame.blocks = std::move(blocks);
    if (lights) frame.masses = std::move(masses), frame.lights = true;
    return frame;
}

TEST(SharedBlocks, MatchTheFrameAfterAnyPreviousFrame) {
    const OffscreenContext context;
    SharedBuffer buffer;
    std::mt19937 random{4};
    std::vector<std::uint64_t> shown;
    for (std::uint64_t stamp = 1; stamp <= 40; ++stamp) shown.push_back(stamp);
    for (int round = 0; round < 60; ++round) {
        std::erase_if(shown, [&](std::uint64_t) { return random() % 8 == 0; });
        for (int i = 0; i < 4; ++i)
            shown.insert(shown.begin() + static_cast<int>(random() % (shown.size() + 1)), 100 + random() % 100000);
        std::ranges::sort(shown);
        shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
        Frame frame = frame_of(shown, round % 20 < 14);
        if (round % 17 == 16) frame.blocks = nullptr;  // a frame of another kind
        buffer.upload(frame);
        ASSERT_EQ(buffer.count(), frame.count);
        EXPECT_EQ(buffer.read(frame.count), frame.host) << round;
        ASSERT_EQ(buffer.masses() != 0, frame.masses != nullptr);
        if (frame.masses) {
            EXPECT_EQ(masses_of(buffer), *frame.masses) << round;
        }
    }
}

TEST(SharedBlocks, AreUploadedOnce) {
    const OffscreenContext context;
    SharedBuffer buffer;
    buffer.upload(frame_of({1, 2, 3, 4, 5}, true));
    const std::uint64_t before = buffer.bytes_from_host();
    buffer.upload(frame_of({2, 3, 5}, true));
    EXPECT_EQ(buffer.bytes_from_host(), before) << "no block is new";
    const Frame more = frame_of({2, 3, 5, 6}, true);
    buffer.upload(more);
    EXPECT_EQ(buffer.bytes_from_host() - before, more.blocks->back().count * (sizeof(Vec4f) + sizeof(float)));
}

}  // namespace
}  // namespace orrery::test
