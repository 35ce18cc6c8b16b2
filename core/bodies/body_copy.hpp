// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_state.hpp"

namespace orrery {

/// The bodies at one moment, readable from any thread. The caller that requested the copy need not wait until it is on
/// the host.
class BodyCopy {
public:
    BodyCopy() = default;
    BodyCopy(const BodyCopy&) = delete;
    BodyCopy& operator=(const BodyCopy&) = delete;
    virtual ~BodyCopy() = default;

    /// The state on the host. May take long; throws Error{kEnvironment} if the device fails.
    virtual BodyState state() const = 0;
    virtual bool at_hand() const = 0;  ///< true if state() only copies host memory
};

class HostCopy final : public BodyCopy {
public:
    explicit HostCopy(BodyState state) : state_{std::move(state)} {}
    BodyState state() const override { return state_; }
    bool at_hand() const override { return true; }

private:
    BodyState state_;
};

/// Positions, masses and velocities in double; no labels.
Bodies bodies_of(const BodyState& state);
/// The inverse; accelerations are 0.
BodyState state_of(const Bodies& bodies);

}  // namespace orrery
