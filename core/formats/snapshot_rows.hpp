// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/bodies/bodies.hpp"
#include "core/formats/suggest.hpp"

namespace orrery {

/// An open snapshot whose bodies can be read in any stretches. Throws as read_snapshot() does.
class SnapshotRows {
public:
    SnapshotRows() = default;
    SnapshotRows(const SnapshotRows&) = delete;
    SnapshotRows& operator=(const SnapshotRows&) = delete;
    virtual ~SnapshotRows() = default;

    /// Everything but the bodies; softening and dt only if the file states them.
    const Scene& about() const { return about_; }
    std::uint64_t size() const { return size_; }
    /// False if bodies have names, charges, pins, fields, or ids that read() leaves out.
    bool complete() const { return complete_; }
    /// Replaces `into` by `count` bodies from `first` on, with the ids and species that the file states.
    virtual void read(std::uint64_t first, std::size_t count, Bodies& into) = 0;
    /// Softening and dt, as read_snapshot() chooses them.
    virtual double softening(const BodySurvey& all) const { return softening_ ? *softening_ : all.softening(); }
    double dt(const BodySurvey& all, const Gravity& gravity) const { return dt_ ? *dt_ : all.dt(gravity); }

protected:
    Scene about_;
    std::uint64_t size_ = 0;
    std::optional<double> softening_, dt_;  // as stated
    bool complete_ = true;
};

enum class WithIds : bool { kNo, kYes };

}  // namespace orrery
