// SPDX-License-Identifier: MIT
#include "app/record/picture_files.hpp"

#include <ImfChannelList.h>
#include <ImfFloatAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// A file in memory. OpenEXR reserves room for a table of offsets and fills it in at the end.
class Memory final : public Imf::OStream {
public:
    explicit Memory(const char* name) : OStream{name} {}
    void write(const char* data, int size) override {
        const auto count = static_cast<std::size_t>(size);
        if (bytes.size() < at_ + count) bytes.resize(at_ + count);
        std::memcpy(bytes.data() + at_, data, count);
        at_ += count;
    }
    std::uint64_t tellp() override { return at_; }
    void seekp(std::uint64_t place) override { at_ = place; }
    std::vector<std::byte> bytes;

private:
    std::size_t at_ = 0;
};

constexpr std::array<const char*, 5> kChannels{"R", "G", "B", "light", "Z"};  // channels of DeepImage::light

}  // namespace

std::string why_no_exr() { return {}; }

std::vector<std::byte> exr_bytes(const std::filesystem::path& path, const Image& image) {
    const std::string name = path.string();
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    if (!image.deep || image.deep->light.size() != width * height * kChannels.size())
        environment_error(name + ": OpenEXR needs light, which recordings with panels do not have");
    try {
        Imf::Header header{image.width, image.height};
        header.compression() = Imf::ZIP_COMPRESSION;
        if (image.deep->body_mass > 0)
            header.insert("bodyMass", Imf::FloatAttribute{static_cast<float>(image.deep->body_mass)});
        Imf::FrameBuffer frame;
        // OpenEXR takes non-const pointers, but only reads.
        auto* numbers = reinterpret_cast<char*>(const_cast<float*>(image.deep->light.data()));
        constexpr std::size_t kPixel = sizeof(float) * kChannels.size();
        for (std::size_t i = 0; i < kChannels.size(); ++i) {
            header.channels().insert(kChannels[i], Imf::Channel{Imf::FLOAT});
            frame.insert(kChannels[i], Imf::Slice{Imf::FLOAT, numbers + i * sizeof(float), kPixel, kPixel * width});
        }
        constexpr std::array kMotion{"forward.u", "forward.v"};  // Nuke's names
        auto* ways = reinterpret_cast<char*>(const_cast<float*>(image.deep->motion.data()));
        for (std::size_t i = 0; i < kMotion.size() && ways; ++i) {
            header.channels().insert(kMotion[i], Imf::Channel{Imf::FLOAT});
            frame.insert(kMotion[i], Imf::Slice{Imf::FLOAT, ways + i * sizeof(float), 2 * sizeof(float),
                                                2 * sizeof(float) * width});
        }
        Memory memory{name.c_str()};
        {
            Imf::OutputFile file{memory, header, 0};  // single-threaded: frames are compressed concurrently
            file.setFrameBuffer(frame);
            file.writePixels(image.height);
        }
        return std::move(memory.bytes);
    } catch (const std::exception& failure) {
        environment_error(fmt::format("{}: cannot be written as OpenEXR: {}", name, failure.what()));
    }
}

}  // namespace orrery
