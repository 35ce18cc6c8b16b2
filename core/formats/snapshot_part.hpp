// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/bodies/body_source.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

struct SnapshotInParts;

/// The bodies of a snapshot that one rank reads, stretch by stretch, whenever they are requested. Only their ids and
/// species are in memory, and their masses if they differ.
class SnapshotPart final : public BodySource {
public:
    SnapshotPart(std::unique_ptr<SnapshotRows> rows, Ranks& ranks);

    std::size_t size() const override { return static_cast<std::size_t>(part_.count()); }
    const Bodies& labels() const override { return labels_; }
    Equal masses_from(std::size_t i) const override;
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override;
    const Bodies* sample() const override { return &sample_; }

    /// Reads this rank's part of the file, and of its neighbour's up to the end of a block; throws Error unless all
    /// bodies are valid. Not collective.
    BodySurvey survey();
    /// Completes settings and facts from the surveys of all ranks. Collective.
    void adopt(BodySurvey survey, SnapshotInParts& opened);

private:
    using Counts = std::array<std::uint64_t, kSpeciesCount>;

    void take_labels(const Bodies& some, std::uint64_t first);

    std::unique_ptr<SnapshotRows> rows_;
    Ranks& ranks_;
    RankPart part_;
    Bodies labels_, sample_;
    std::vector<double> masses_;  // one: that of all
    Counts massless_of_{};        // by species
    mutable std::mutex reading_;
    mutable Bodies some_;  // read last
};

/// A snapshot that each rank has opened to read its part.
struct SnapshotInParts {
    Scene settings;  ///< without bodies
    std::shared_ptr<const BodySource> bodies;
    std::uint64_t all = 0;  ///< bodies of all ranks
    double mass = 0;        ///< of all of them
    SnapshotFacts facts;
};
/// Reads the file twice: now, to find what follows from all bodies, and when they are requested. Empty if it has to be
/// read as a whole: because of its format, because it is compressed, has names, charges, pins or fields, or so few
/// bodies that their time step follows from all pairs. If one rank refuses the file, all throw its Error. Collective.
std::optional<SnapshotInParts> open_in_parts(const std::filesystem::path& path, Ranks& ranks);

}  // namespace orrery
