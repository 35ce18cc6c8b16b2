// SPDX-License-Identifier: MIT
#include "app/window/start_report.hpp"

#include <fmt/format.h>

#include "app/picture/format.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cuda/info.hpp"

namespace orrery {
namespace {

std::string cuda_text() {
    const CudaInfo& cuda = cuda_info();
    if (!cuda.available) return "not used: " + cuda.reason;
    std::string text;
    for (const CudaDevice& device : cuda.devices)
        text += fmt::format("{}{} ({}.{}, {:.0f} GiB)", text.empty() ? "" : "; ", device.name, device.major,
                            device.minor, static_cast<double>(device.memory) / (1u << 30));
    return text;
}

std::string way_text(const SharedBuffer& bodies) {
    const std::string& why = bodies.why_not_interop();
    return std::string{name_of(bodies.way())} + (why.empty() ? "" : ": " + why);
}

std::string engine_text(const WindowConfig& config, const EngineConfig& engine) {
    const std::string why = config.engine_chosen               ? "as requested"
                            : engine.backend == Backend::kCuda ? "CUDA is available"
                                                               : "CUDA is not available";
    return fmt::format("{} on {}, {} precision ({})", engine.engine, name(engine.backend), name(engine.precision), why);
}

}  // namespace

std::vector<ReportLine> report_on_machine(const GlInfo& gl, double first_frame_seconds) {
    return {{"OpenGL", fmt::format("{}, {}{}", gl.version, gl.renderer, gl.software ? "; drawn by the CPU" : "")},
            {"CUDA", cuda_text()},
            {"First frame", fmt::format("{:.2f} s after the start", first_frame_seconds)}};
}

std::vector<ReportLine> report_on_scene(const WindowConfig& config, const Status& status, const SharedBuffer& bodies,
                                        double first_bodies_seconds) {
    std::vector<ReportLine> lines{{"Scene", fmt::format("{}, {}, {:.2f} s after the start", status.scene_label,
                                                        bodies_text(status.bodies), first_bodies_seconds)},
                                  {"Engine", engine_text(config, status.engine)},
                                  {"To OpenGL", way_text(bodies)}};
    if (status.ranks > 1) lines.push_back({"Ranks", ranks_text(status.ranks, status.shared)});
    return lines;
}

void print_report(const std::vector<ReportLine>& lines) {
    for (const ReportLine& line : lines) to_stderr("{:<12}{}\n", line.what, line.found);
}

}  // namespace orrery
