// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/cloud/cloud_file.hpp"

namespace orrery {

/// The bodies of a cloud, part by part. They can be read repeatedly, and are the same each time.
class CloudSource {
public:
    /// Receives bodies and, for each of fields(), their values.
    using Take = std::function<void(const Bodies& part, std::span<const std::span<const float>> values)>;
    virtual ~CloudSource() = default;
    virtual std::string name() const = 0;     ///< for messages
    virtual void read(const Take& take) = 0;  ///< throws Error
    virtual std::vector<CloudField> fields() const { return {}; }
    virtual const Scene& about() const = 0;  ///< time, units and gravity; valid after the first read()
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
/// each, 44 with fields. Numbers are rounded to single precision. Throws Error{kUsage} for bodies that are not finite
/// or too many at one position, and as `source` and OutputFile do.
CloudWritten write_cloud(CloudSource& source, const std::filesystem::path& path, const CloudPlan& plan = {});

/// Bodies in memory with their fields. Throws Error{kUsage} for more than kMostCloudFields, as the next one does.
std::unique_ptr<CloudSource> cloud_source(Scene scene);

/// Bodies of several snapshots, one after the other, as if in one file. Formats that can be read in parts are; of
/// others one file at a time is in memory. `fields`: names as choose_field() takes them; the values of one file at a
/// time are in memory, 4 bytes per body and field. Time, units and gravity are those of the first. Throws Error as
/// read_snapshot() does, and kUsage if a file changes between the first pass and the end of the last.
std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots,
                                          const std::vector<std::string>& fields = {});

}  // namespace orrery
