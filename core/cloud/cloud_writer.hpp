// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Where the bodies of a cloud come from: a part at a time, as often as asked, the same each time.
class CloudSource {
public:
    using Take = std::function<void(const Bodies& part)>;
    virtual ~CloudSource() = default;
    virtual std::string name() const = 0;     ///< for messages
    virtual void read(const Take& take) = 0;  ///< throws Error
    virtual const Scene& about() const = 0;   ///< time, units and gravity; valid after the first read()
};

/// How a cloud is cut.
struct CloudPlan {
    static constexpr std::size_t kLeastMemory = std::size_t{64} << 20, kMemory = std::size_t{2} << 30;
    static constexpr std::uint32_t kLeastSample = 64;

    std::uint32_t sample = 8192;   ///< bodies that stand for a cell which is divided, about; kLeastSample or more
    std::uint32_t leaf = 16384;    ///< cells of so many bodies are not divided
    std::size_t memory = kMemory;  ///< bytes, about, whatever the number of bodies
};

struct CloudWritten {
    std::uint64_t bodies = 0, nodes = 0, bytes = 0;
    int levels = 0;  ///< below the root
};

/// Writes a cloud file, whole or not at all; the same bodies in the same order give the same bytes, whatever the
/// memory. Bodies that do not fit into memory are first put into a temporary file beside it, of 28 bytes each, cell by
/// cell. Numbers are rounded to single precision. Throws Error{kUsage} for bodies that are not finite or too many at
/// one place, and as `source` and OutputFile do.
CloudWritten write_cloud(CloudSource& source, const std::filesystem::path& path, const CloudPlan& plan = {});

}  // namespace orrery
