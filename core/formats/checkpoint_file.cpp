// SPDX-License-Identifier: MIT
#include "core/formats/checkpoint_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>

#include "core/base/error.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/input_file.hpp"

namespace orrery::hdf5 {
namespace {

// Version 1: scenes alone, without integrator and adaptive steps; 2: gravity only; 3: other laws or charges;
// 4: encounters or pinned bodies.
constexpr int kVersion = 4, kVersionOfLaws = 3, kVersionOfGravity = 2, kOldest = 1;
static_assert(std::endian::native == std::endian::little);

/// FNV-1a over words of 64 bits (Fowler, Noll, Vo), the last one padded with zeros. Each step is invertible, so a
/// change in any one word changes the checksum.
class Checksum {
public:
    void add(std::span<const std::byte> bytes) {  // whole words except in the last call
        for (std::size_t i = 0; i < bytes.size(); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
            sum_ = (sum_ ^ word) * 0x100000001b3ull;
        }
    }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325ull;
};

std::uint64_t checksum_of(InputFile& file) {
    Checksum sum;
    file.seek(kCheckpointBlock);
    std::vector<std::byte> block;
    while (file.position() < file.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, file.size() - file.position())));
        file.read(block);
        sum.add(block);
    }
    return sum.value();
}

/// The header text: one line, padded with newlines.
std::string block_text(int version, std::uint64_t bytes, std::uint64_t sum) {
    std::string text = fmt::format("{}{} bytes={} fnv1a={:016x}\n", kCheckpointMagic, version, bytes, sum);
    text.resize(kCheckpointBlock, '\n');
    return text;
}

}  // namespace

void check_whole(const std::filesystem::path& path) {
    InputFile file{path};
    const auto refuse = [&](const std::string& what) { usage_error(fmt::format("{}: {}", path.string(), what)); };
    if (file.size() < kCheckpointBlock) refuse("truncated: ends within its first 512 bytes");
    std::string text(kCheckpointBlock, '\0');
    file.read(std::as_writable_bytes(std::span{text}));
    if (!text.starts_with(kCheckpointMagic)) refuse("byte 0: expected \"orrery checkpoint\"");
    int version = 0;
    const char* digits = text.data() + kCheckpointMagic.size();
    std::from_chars(digits, text.data() + text.size(), version);
    if (version < kOldest || version > kVersion)
        refuse(fmt::format("expected a checkpoint of version {} to {}, found {}", kOldest, kVersion, version));
    const std::string found = block_text(version, file.size(), checksum_of(file));
    if (text != found)
        refuse(fmt::format("truncated or modified: expected \"{}\", found size and checksum \"{}\"",
                           text.substr(0, std::min<std::size_t>(text.find('\n'), 80)),
                           found.substr(0, found.find('\n'))));
}

void seal(Writer& file, const Scene& scene) {
    file.close();
    InputFile written{file.temporary()};
    const int version = needs_encounters(scene) ? kVersion : needs_law(scene) ? kVersionOfLaws : kVersionOfGravity;
    const std::string text = block_text(version, written.size(), checksum_of(written));
    std::fstream begin{file.temporary(), std::ios::binary | std::ios::in | std::ios::out};
    begin.write(text.data(), static_cast<std::streamsize>(text.size()));
    begin.close();
    if (!begin) file.fail();
    file.commit();
}

}  // namespace orrery::hdf5
