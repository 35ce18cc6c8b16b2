// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include "app/window/features.hpp"
#include "app/window/hand/hand_state.hpp"
#include "app/window/selection/selection_state.hpp"

namespace orrery {

struct Frame;
struct WindowParts;

/// Named sets of bodies, and what is done with the selected bodies besides editing.
class SelectionControl final : public Feature {
public:
    explicit SelectionControl(WindowParts& window) : window_{window} {}

    void update() override;
    void end_frame() override;
    static void select_filtered(WindowParts& window);
    static void invert(WindowParts& window);
    static void export_snapshot(WindowParts& window);
    static void export_ids(WindowParts& window);

private:
    void carry_out(const SetRequest& request);

    WindowParts& window_;
    std::shared_ptr<const std::vector<float>> counted_;  // values of the filter
};

}  // namespace orrery
