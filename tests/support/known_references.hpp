// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"

namespace orrery::test {

/// BodySystem::force_error() for one scene, with reference sums computed once: valid for engines and settings that hold
/// the bodies in the same precision.
class KnownReferences {
public:
    explicit KnownReferences(const Scene& scene, std::size_t samples = 2000) : gravity_{scene.gravity} {
        for (const std::size_t i : sample_indices(scene.bodies.size(), samples))
            which_.push_back(static_cast<std::uint32_t>(i));
    }
    ForceError error_of(const BodySystem& system) {
        if (wanted_.empty()) wanted_ = system.references(gravity_, which_);
        std::vector<Vec4d> found;
        for (const BodySample& body : system.sample(which_))
            found.push_back({body.acceleration.x, body.acceleration.y, body.acceleration.z, 0});
        return compare(found, wanted_);
    }

private:
    Gravity gravity_;
    std::vector<std::uint32_t> which_;
    std::vector<Vec4d> wanted_;
};

}  // namespace orrery::test
