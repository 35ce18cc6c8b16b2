// SPDX-License-Identifier: MIT
#include "app/window/start_report.hpp"

#include <fmt/format.h>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/sharing.hpp"

namespace orrery {
namespace {

std::string cuda_text() {
    const CudaInfo& cuda = cuda_info();
    if (!cuda.available) return phrase("not used: {}", if_known(cuda.reason));
    std::string text;
    for (const CudaDevice& device : cuda.devices)
        text += fmt::format("{}{} ({}.{}, {:.0f} GiB)", text.empty() ? "" : "; ", device.name, device.major,
                            device.minor, static_cast<double>(device.memory) / (1u << 30));
    return verbatim(text);
}

std::string way_text(const SharedBuffer& bodies, Backend backend) {
    const bool copied = backend == Backend::kGl && bodies.way() != SharedBuffer::Way::kShared;
    const std::string why = copied ? gl::why_frames_are_copied() : bodies.why_not_interop();
    return translated(std::string{if_known(name_of(bodies.way()))} +
                      (why.empty() ? "" : ": " + std::string{if_known(why)}));
}

std::string engine_text(const WindowConfig& config, const EngineConfig& engine) {
    const std::string why = config.engine_chosen               ? "as requested"
                            : engine.backend == Backend::kCuda ? "CUDA is available"
                            : engine.backend == Backend::kGl   ? "OpenGL computes, CUDA is not available"
                                                               : "CUDA is not available";
    return phrase("{} on {}, {} precision ({})", engine.engine, name(engine.backend), if_known(name(engine.precision)),
                  tr(why));
}

}  // namespace

std::vector<ReportLine> report_on_machine(const GlInfo& gl, const std::string& first_frame) {
    const std::string opengl = verbatim(fmt::format("{}, {}", gl.version, gl.renderer));
    return {{"OpenGL", gl.software ? phrase("{}; drawn by the CPU", opengl) : opengl},
            {"CUDA", cuda_text()},
            {"First frame", first_frame}};
}

std::vector<ReportLine> report_on_scene(const WindowConfig& config, const Status& status, const SharedBuffer& bodies,
                                        const std::string& first_bodies) {
    std::vector<ReportLine> lines{{"Scene", fmt::format("{}, {}, {}", if_known(status.scene.label),
                                                        bodies_in_words(status.bodies), first_bodies)},
                                  {"Engine", engine_text(config, status.engine.config)},
                                  {std::string{kToOpenGl}, way_text(bodies, status.engine.config.backend)}};
    if (status.engine.ranks > 1) lines.push_back({"Ranks", ranks_text(status.engine.ranks, status.engine.shared)});
    return lines;
}

void print_report(const std::vector<ReportLine>& lines) {
    for (const ReportLine& line : lines) to_stderr("{:<12}{}\n", line.what, line.found);
}

}  // namespace orrery
