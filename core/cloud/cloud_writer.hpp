// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// The bodies of a cloud, part by part. They can be read repeatedly, and are the same each time.
class CloudSource {
public:
    using Take = std::function<void(const Bodies& part)>;
    virtual ~CloudSource() = default;
    virtual std::string name() const = 0;     ///< for messages
    virtual void read(const Take& take) = 0;  ///< throws Error
    virtual const Scene& about() const = 0;   ///< time, units and gravity; valid after the first read()
};

/// How the octree is built.
struct CloudPlan {
    static constexpr std::size_t kLeastMemory = std::size_t{64} << 20, kMemory = std::size_t{2} << 30;
    static constexpr std::uint32_t kLeastSample = 64;

    std::uint32_t sample = 8192;   ///< approximate number of bodies that represent a divided cell; kLeastSample or more
    std::uint32_t leaf = 16384;    ///< cells with at most this many bodies are not divided
    std::size_t memory = kMemory;  ///< approximate memory in bytes, whatever the number of bodies
};

struct CloudWritten {
    std::uint64_t bodies = 0, nodes = 0, bytes = 0;
    int levels = 0;  ///< below the root
};

/// Writes a cloud file, completely or not at all; the same bodies in the same order give the same bytes, whatever the
/// memory. Bodies that do not fit into memory are first written cell by cell to a temporary file beside it, 28 bytes
/// each. Numbers are rounded to single precision. Throws Error{kUsage} for bodies that are not finite or too many at
/// one position, and as `source` and OutputFile do.
CloudWritten write_cloud(CloudSource& source, const std::filesystem::path& path, const CloudPlan& plan = {});

/// Bodies in memory.
std::unique_ptr<CloudSource> cloud_source(Scene scene);

/// Bodies of several snapshots, one after the other, as if in one file. Formats that can be read in parts are; of
/// others one file at a time is in memory. Time, units and gravity are those of the first. Throws Error as
/// read_snapshot() does, and kUsage if a file changes between the first pass and the end of the last.
std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots);

}  // namespace orrery
