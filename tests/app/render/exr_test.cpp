// SPDX-License-Identifier: MIT
#include <ImfChannelList.h>
#include <ImfFloatAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/error.hpp"
#include "tests/app/render/recording.hpp"

namespace orrery::test {
namespace {

Image with_light(int width, int height) {
    auto deep = std::make_shared<DeepImage>();
    deep->body_mass = 0.25;
    for (int i = 0; i < width * height * 5; ++i)
        deep->light.push_back(static_cast<float>(std::sin(i) * std::exp(0.01 * (i % 3000))));
    Image image;
    image.width = width, image.height = height, image.deep = std::move(deep);
    return image;
}

TEST(Exr, StoresAllValuesInStandardChannels) {
    const Folder folder;
    const Image image = with_light(37, 21);
    const auto recorder = make_recorder({.path = folder / "a.exr", .width = 37, .height = 21});
    recorder->add(image);
    recorder->finish();
    Imf::InputFile file{(folder / "a.exr").c_str()};
    EXPECT_EQ(file.header().dataWindow().max.x, 36);
    EXPECT_EQ(file.header().dataWindow().max.y, 20);
    EXPECT_EQ(file.header().typedAttribute<Imf::FloatAttribute>("bodyMass").value(), 0.25f);
    std::vector<float> numbers(image.deep->light.size());
    Imf::FrameBuffer frame;
    const char* names[] = {"R", "G", "B", "light", "Z"};
    for (std::size_t i = 0; i < 5; ++i) {
        ASSERT_TRUE(file.header().channels().findChannel(names[i])) << names[i];
        frame.insert(names[i], Imf::Slice{Imf::FLOAT, reinterpret_cast<char*>(numbers.data() + i), 20, 20 * 37});
    }
    file.setFrameBuffer(frame);
    file.readPixels(0, 20);
    EXPECT_EQ(numbers, image.deep->light);
}

TEST(Exr, StoresMotionVectors) {
    const Folder folder;
    Image image = with_light(9, 5);
    auto deep = std::make_shared<DeepImage>(*image.deep);
    for (int i = 0; i < 9 * 5 * 2; ++i) deep->motion.push_back(static_cast<float>(i) - 20.5f);
    image.deep = deep;
    const auto recorder = make_recorder({.path = folder / "a.exr", .width = 9, .height = 5});
    recorder->add(image);
    recorder->finish();
    Imf::InputFile file{(folder / "a.exr").c_str()};
    std::vector<float> numbers(deep->motion.size());
    Imf::FrameBuffer frame;
    frame.insert("forward.u", Imf::Slice{Imf::FLOAT, reinterpret_cast<char*>(numbers.data()), 8, 8 * 9});
    frame.insert("forward.v", Imf::Slice{Imf::FLOAT, reinterpret_cast<char*>(numbers.data() + 1), 8, 8 * 9});
    file.setFrameBuffer(frame);
    file.readPixels(0, 4);
    EXPECT_EQ(numbers, deep->motion);
}

TEST(Exr, SequenceFilesAreNumbered) {
    const Folder folder;
    const auto recorder = make_recorder({.path = folder / "a_%03d.exr", .width = 8, .height = 4});
    recorder->add(with_light(8, 4));
    recorder->add(with_light(8, 4));
    recorder->finish();
    EXPECT_TRUE(std::filesystem::exists(folder / "a_001.exr"));
    EXPECT_EQ(folder.files(), 2u);
}

TEST(Exr, NeedsLight) {
    const Folder folder;
    const auto recorder = make_recorder({.path = folder / "a.exr", .width = 8, .height = 4});
    EXPECT_THAT([&] { recorder->add(picture(8, 4, 0)); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("a.exr: OpenEXR needs light")));
    EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace orrery::test
