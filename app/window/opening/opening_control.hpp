// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/features.hpp"
#include "app/window/opening/opening_walk.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// Walks the cells of the last frame for the picked body.
class OpeningControl final : public Feature {
public:
    explicit OpeningControl(WindowCore& core) : core_{core} {}
    void update() override;

private:
    void walk(OpeningState& opening, const std::vector<TreeCell>& cells, const Vec3d& body) const;

    WindowCore& core_;
};

}  // namespace orrery
