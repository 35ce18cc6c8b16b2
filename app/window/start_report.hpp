// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "app/render/gl/gl_info.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/window/ui_state.hpp"
#include "app/window/window.hpp"

namespace orrery {

/// The start-up report: the hardware, the choices made and their reasons. Each function returns the lines known at its
/// time. The texts say when the first frame and the first bodies appeared: "0.52 s after the start".
std::vector<ReportLine> report_on_machine(const GlInfo& gl, const std::string& first_frame);
std::vector<ReportLine> report_on_scene(const WindowConfig& config, const Status& status, const SharedBuffer& bodies,
                                        const std::string& first_bodies);

void print_report(const std::vector<ReportLine>& lines);  ///< to stderr

}  // namespace orrery
