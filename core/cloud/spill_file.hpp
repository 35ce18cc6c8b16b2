// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/base/output_file.hpp"

namespace orrery {

/// A body on its way into a cloud.
struct CloudRecord {
    float x, y, z, speed, mass;
    std::uint32_t priority;  ///< random: of any cell the bodies of the lowest ones are its sample
    std::uint8_t species;
};

/// Records on disk, in stretches whose lengths are known beforehand. Nobody else sees the file, and it is gone with its
/// owner, whatever ends that. Throws Error{kEnvironment} naming the folder when the disk fails.
class SpillFile {
public:
    /// `buffered`: bytes of memory that all stretches may take together until they are written.
    SpillFile(const std::filesystem::path& beside, std::span<const std::uint64_t> lengths, std::size_t buffered);

    /// Returns false if the stretch is full: the record is not taken.
    bool add(std::size_t stretch, const CloudRecord& record);
    /// Before the first read. Returns false if a stretch is not full.
    bool flush();
    /// Records of a stretch from one of them on.
    void read(std::size_t stretch, std::uint64_t from, std::span<CloudRecord> into) const;

private:
    struct Stretch {
        std::uint64_t first, length, written = 0;
        std::vector<CloudRecord> waiting{};
    };
    void write(Stretch& stretch);
    [[noreturn]] void fail() const;

    std::filesystem::path folder_;
    Descriptor file_;
    std::vector<Stretch> stretches_;
    std::size_t most_waiting_;
};

}  // namespace orrery
