// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "app/render/gl/gl_info.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/ui/ui_state.hpp"
#include "app/window/window.hpp"

namespace orrery {

/// The start-up report: what was found, what is used and why. Each function returns the lines known at its time.
std::vector<ReportLine> report_on_machine(const GlInfo& gl, double first_frame_seconds);
std::vector<ReportLine> report_on_scene(const WindowConfig& config, const Status& status, const SharedBuffer& bodies,
                                        double first_bodies_seconds);

void print_report(const std::vector<ReportLine>& lines);  ///< to stderr

}  // namespace orrery
