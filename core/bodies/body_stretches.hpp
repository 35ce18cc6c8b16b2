// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Bodies to be written: in memory, or read in stretches, of which one is in memory at a time. Fast for ascending
/// indices. Not for several threads.
class BodyStretches {
public:
    /// Replaces `into` by `count` bodies from `first` on.
    using Read = std::function<void(std::uint64_t first, std::size_t count, Bodies& into)>;

    /// Bodies in memory, which outlive this.
    explicit BodyStretches(const Bodies& all)
        : size_{all.size()}, with_ids_{!all.ids.empty()}, with_species_{!all.species.empty()}, some_{&all} {}
    BodyStretches(std::size_t size, bool with_ids, bool with_species, Read read)
        : size_{size}, with_ids_{with_ids}, with_species_{with_species}, read_{std::move(read)} {}
    BodyStretches(const BodyStretches&) = delete;
    BodyStretches& operator=(const BodyStretches&) = delete;

    std::size_t size() const { return size_; }
    bool with_ids() const { return with_ids_; }
    bool with_species() const { return with_species_; }
    const Vec4d& position_mass(std::size_t i) const { return holding(i).position_mass[i - first_]; }
    const Vec3d& velocity(std::size_t i) const { return holding(i).velocity[i - first_]; }
    std::uint64_t id(std::size_t i) const { return holding(i).ids[i - first_]; }
    Species species_of(std::size_t i) const { return with_species_ ? holding(i).species[i - first_] : Species::kHalo; }
    /// 0 without ids.
    std::uint64_t largest_id() const {
        std::uint64_t most = 0;
        for (std::size_t i = 0; with_ids_ && i < size_; ++i) most = std::max(most, id(i));
        return most;
    }
    /// The bodies if they are in memory; otherwise bodies without names, charges, pins and fields.
    const Bodies& others() const { return read_ ? none_ : *some_; }
    Bodies all() const {
        Bodies bodies;
        read_ ? read_(0, size_, bodies) : void(bodies = *some_);
        return bodies;
    }

private:
    static constexpr std::size_t kRead = std::size_t{1} << 18;

    const Bodies& holding(std::size_t i) const {
        if (i - first_ >= some_->size()) {
            read_(first_ = i, std::min(kRead, size_ - i), own_);
            some_ = &own_;
        }
        return *some_;
    }

    std::size_t size_;
    bool with_ids_, with_species_;
    Read read_;
    Bodies none_;
    mutable std::size_t first_ = 0;
    mutable Bodies own_;
    mutable const Bodies* some_ = &own_;
};

}  // namespace orrery
