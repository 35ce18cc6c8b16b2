// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/base/files.hpp"

namespace orrery {

/// A body during the building of a cloud.
struct CloudRecord {
    float x, y, z, speed, mass;
    std::uint32_t priority;  ///< random; the sample of any cell consists of its bodies with the lowest priorities
    std::uint8_t species;
};

/// Records on disk, in sections whose lengths are given in advance. The file has no name and vanishes with its owner,
/// even if the process is killed. Throws Error{kEnvironment} naming the folder when the disk fails.
class SpillFile {
public:
    /// `buffered`: bytes of memory for the unwritten records of all sections.
    SpillFile(const std::filesystem::path& beside, std::span<const std::uint64_t> lengths, std::size_t buffered);

    /// Returns false, and does not take the record, if the section is full.
    bool add(std::size_t section, const CloudRecord& record);
    /// Call before the first read. Returns false if a section is not full.
    bool flush();
    /// Reads records of a section from index `from` on.
    void read(std::size_t section, std::uint64_t from, std::span<CloudRecord> into) const;

private:
    struct Section {
        std::uint64_t first, length, written = 0;
        std::vector<CloudRecord> waiting{};
    };
    void write(Section& section);
    [[noreturn]] void fail() const;

    std::filesystem::path folder_;
    Descriptor file_;
    std::vector<Section> sections_;
    std::size_t most_waiting_;
};

}  // namespace orrery
