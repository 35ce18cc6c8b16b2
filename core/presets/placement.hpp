// SPDX-License-Identifier: MIT
// Places bodies, for presets.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/random.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_source.hpp"
#include "core/presets/presets.hpp"

namespace orrery {

class Ranks;

/// The sums over the bodies of a preset that put their centre of mass at rest at the origin. From `by_blocks_from`
/// bodies on, all threads add up blocks of bodies, shared by the ranks that make the same preset, if any; below it one
/// thread adds body by body. Neither the number of threads nor that of ranks changes the bits.
struct CentreSums {
    std::size_t by_blocks_from = std::size_t{1} << 27;
    Ranks* ranks = nullptr;
};

Scene make_preset(std::string_view id, const PresetConfig& config, const CentreSums& sums);
PresetInStretches make_preset_in_stretches(std::string_view id, const PresetConfig& config, const CentreSums& sums);

/// Shifts and boosts the bodies so that their centre of mass is at rest at the origin.
void centre(Bodies& bodies);

struct NewBody {
    Vec3d place, velocity;
};

/// A random number in the i-th of `count` equal parts of (0, 1): less noise than independent numbers.
inline double stratified(std::size_t i, std::size_t count, Random& random) {
    return (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
}

/// A separate seed for each block: a step of SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t block) {
    std::uint64_t z = seed + (block + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// The bodies of a preset, added one after the other: in memory, or as a recipe by which a stretch of them is made each
/// time it is read. Both give the same bits.
class Placement {
public:
    enum class Way { kInMemory, kInStretches };
    /// Changes position and velocity of a body; called from any thread.
    using Change = std::function<void(Vec4d& position_mass, Vec3d& velocity)>;

    explicit Placement(Way way, CentreSums sums = {}) : way_{way}, sums_{sums} {}

    bool in_stretches() const { return way_ == Way::kInStretches; }
    std::size_t size() const { return count_; }
    void add(Vec3d place, Vec3d velocity, double mass);
    void add(Bodies bodies);  ///< with their labels; no others may have been added
    /// Adds make(i, random) for i < count, made on all cores. Each block of bodies has a separate random stream, seeded
    /// by one number from `random`, so that the bodies do not depend on the number of threads. `make` is kept: it must
    /// not refer to anything that the caller destroys.
    template <class Make>
    void add_in_blocks(std::size_t count, double mass, Random& random, Make make) {
        add_part(count, mass, random.bits(),
                 [make = std::move(make)](Random& own, std::size_t first, NewBody* to, std::size_t length) {
                     for (std::size_t i = first; i < first + length; ++i) *to++ = make(i, own);
                 });
    }
    /// Changes the bodies from `first` on that have been added so far.
    void change(std::size_t first, Change change);
    void scale_masses(double factor);  ///< of all bodies so far
    /// Shifts and boosts the bodies from `first` on so that their centre of mass is at rest at the origin.
    void centre(std::size_t first = 0);

    Bodies take_bodies() &&;                             ///< with Way::kInMemory
    std::shared_ptr<const BodySource> take_source() &&;  ///< with Way::kInStretches

    std::vector<Species> species;  ///< empty, or one per body at the end

private:
    static constexpr std::size_t kBlock = 8192;  // bodies with one random stream; part of what a seed means

    /// Makes `length` bodies from the beginning of a block on.
    using MakeBlock = std::function<void(Random& own, std::size_t first, NewBody* to, std::size_t length)>;
    struct Part {
        std::size_t first, count;
        double mass;  // of each
        std::uint64_t seed;
        MakeBlock make;  // null: the bodies are stored
        std::vector<Vec4d> position_mass{};
        std::vector<Vec3d> velocity{};
    };
    struct ChangeOfRange {
        std::size_t first, end;
        Change change;
    };
    struct Piece {
        const Part* part;
        std::size_t first, end;  // of all bodies
    };
    class Recipe;
    class Rest;

    std::vector<Part>::const_iterator part_of(std::size_t i) const;
    /// The bodies [first, end) in pieces that lie in one block of one part.
    std::vector<Piece> pieces(std::size_t first, std::size_t end) const;
    /// The bodies of a piece, with all changes.
    void make(const Piece& piece, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const;
    Change to_rest(std::size_t first) const;                                                        ///< for centre()
    BodySource::Equal masses_from(std::size_t i) const;                                             ///< as BodySource
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const;  ///< as BodySource
    void add_part(std::size_t count, double mass, std::uint64_t seed, MakeBlock make);
    /// Makes bodies of a part from its own index `first` on, all in one block.
    static void make_blocks(const Part& part, std::size_t first, std::span<Vec4d> position_mass,
                            std::span<Vec3d> velocity);

    Way way_;
    CentreSums sums_;
    std::size_t count_ = 0;
    Bodies bodies_;  // in memory, or only labels
    std::vector<Part> parts_;
    std::vector<ChangeOfRange> changes_;
};

}  // namespace orrery
