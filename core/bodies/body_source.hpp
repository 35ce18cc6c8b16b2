// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_system.hpp"

namespace orrery {

/// Bodies that can be read in stretches. They need not be in host memory: 56 bytes per body in double are more than the
/// 16 bytes of a column in single precision to which a body system converts them.
class BodySource {
public:
    /// Consecutive bodies with the same mass.
    struct Equal {
        double mass;
        std::size_t end;  ///< index after the last of them
    };

    BodySource() = default;
    BodySource(const BodySource&) = delete;
    BodySource& operator=(const BodySource&) = delete;
    virtual ~BodySource() = default;

    virtual std::size_t size() const = 0;
    /// Only names, species, ids, pins and charges.
    virtual const Bodies& labels() const = 0;
    /// The mass of body i and of some that follow it; does not compute positions.
    virtual Equal masses_from(std::size_t i) const = 0;
    /// Writes position, mass and velocity of the bodies from `first` on; both spans have the same length. The same bits
    /// whichever stretches are read, from any thread.
    virtual void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const = 0;
    /// The bodies if all of them are in host memory; otherwise null.
    virtual const Bodies* in_memory() const { return nullptr; }
    /// A sample that represents position and extent of all bodies, including those of other ranks. Null: not known.
    virtual const Bodies* sample() const { return in_memory(); }
    /// True if the centre of mass is at the origin.
    virtual bool centred() const { return false; }
};

/// Bodies in host memory, which outlive the source.
class BodiesInMemory final : public BodySource {
public:
    explicit BodiesInMemory(const Bodies& bodies) : bodies_{bodies} {}
    std::size_t size() const override { return bodies_.size(); }
    const Bodies& labels() const override { return bodies_; }
    Equal masses_from(std::size_t i) const override { return {bodies_.position_mass[i].w, i + 1}; }
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override;
    const Bodies* in_memory() const override { return &bodies_; }

private:
    const Bodies& bodies_;
};

/// The same, owned.
class OwnBodies final : public BodySource {
public:
    explicit OwnBodies(Bodies bodies) : bodies_{std::move(bodies)} {}
    std::size_t size() const override { return bodies_.size(); }
    const Bodies& labels() const override { return bodies_; }
    Equal masses_from(std::size_t i) const override { return BodiesInMemory{bodies_}.masses_from(i); }
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override {
        BodiesInMemory{bodies_}.read(first, position_mass, velocity);
    }
    const Bodies* in_memory() const override { return &bodies_; }

private:
    Bodies bodies_;
};

/// Consecutive bodies of another source, with their labels.
class PartOfBodies final : public BodySource {
public:
    PartOfBodies(std::shared_ptr<const BodySource> source, std::size_t first, std::size_t count);
    /// `source` outlives this one.
    PartOfBodies(const BodySource& source, std::size_t first, std::size_t count)
        : PartOfBodies{std::shared_ptr<const BodySource>{std::shared_ptr<void>{}, &source}, first, count} {}
    std::size_t size() const override { return count_; }
    const Bodies& labels() const override { return labels_; }
    Equal masses_from(std::size_t i) const override;
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override {
        source_->read(first_ + first, position_mass, velocity);
    }
    const Bodies* sample() const override { return source_->sample(); }
    bool centred() const override { return source_->centred(); }

private:
    std::shared_ptr<const BodySource> source_;
    std::size_t first_, count_;
    Bodies labels_;
};

/// Bodies of a stretch: 59 MB in double.
inline constexpr std::size_t kStretch = std::size_t{1} << 20;

/// Receives the bodies from `first` on.
using TakeStretch =
    std::function<void(std::size_t first, std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity)>;
/// Calls take() with all bodies in order: with one stretch if they are in memory, otherwise with stretches of kStretch.
/// The next stretch is read meanwhile.
void for_stretches(const BodySource& source, const TakeStretch& take);
/// All bodies with their labels, in memory.
Bodies all_bodies(const BodySource& source);

/// Calls masses(i) for ascending i without a virtual call for each body.
class MassReader {
public:
    explicit MassReader(const BodySource& source) : source_{source} {
        if (const Bodies* bodies = source.in_memory()) bodies_ = bodies->position_mass.data();
    }
    double operator()(std::size_t i) const {
        if (bodies_) return bodies_[i].w;
        if (i < first_ || i >= now_.end) now_ = source_.masses_from(first_ = i);
        return now_.mass;
    }

private:
    const BodySource& source_;
    const Vec4d* bodies_ = nullptr;
    mutable std::size_t first_ = 0;
    mutable BodySource::Equal now_{0, 0};
};
/// Index of the first body without mass.
std::optional<std::size_t> first_massless(const BodySource& source);

/// Extent of the bodies that were read, and a sample of their positions.
struct BodyExtent {
    std::size_t count = 0;             ///< bodies so far
    Vec3d low{}, high{};               ///< corners of their bounding box; NaN is ignored
    std::vector<std::size_t> which{};  ///< ascending indices to sample
    std::vector<Vec3d> sample{};       ///< their positions so far

    BodyExtent(std::size_t all, std::size_t samples);
    void add(std::span<const Vec4d> position_mass);
};

/// Another source, with the extent of its bodies once all of them were read in order.
class MeasuredSource final : public BodySource {
public:
    MeasuredSource(const BodySource& source, std::size_t samples) : source_{source}, extent_{source.size(), samples} {}
    std::size_t size() const override { return source_.size(); }
    const Bodies& labels() const override { return source_.labels(); }
    Equal masses_from(std::size_t i) const override { return source_.masses_from(i); }
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override;
    const Bodies* in_memory() const override { return source_.in_memory(); }
    const Bodies* sample() const override { return source_.sample(); }
    bool centred() const override { return source_.centred(); }
    /// Reads the source if it was not read completely.
    const BodyExtent& extent() const;

private:
    const BodySource& source_;
    mutable BodyExtent extent_;
};

/// make_body_system() for bodies that need not be in host memory: each stretch is converted to the system's precision
/// when it is read. With ranks, all bodies are read into memory first. Also throws Error{kUsage} naming the first body
/// that is not finite or does not fit the precision.
std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const BodySource& bodies,
                                             Urgency urgency = Urgency::kNormal, Ranks* ranks = nullptr);
/// require_fit() for the bodies from `first` on.
void require_fit(std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity, Precision precision,
                 std::size_t first);

}  // namespace orrery
