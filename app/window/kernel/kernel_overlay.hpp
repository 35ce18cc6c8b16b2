// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "app/window/ui_state.hpp"

namespace orrery {

inline constexpr const char* kKernelWindow = "kernel editor";  ///< ImGui name
/// The editor of the page Kernel, beside the sidebar.
void kernel_overlay(Widgets& ui, const UiState& state, UiRequests& requests);

}  // namespace orrery
