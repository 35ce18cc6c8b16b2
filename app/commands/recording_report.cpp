// SPDX-License-Identifier: MIT
#include "app/commands/recording_report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/platform/machine.hpp"
#include "core/base/version.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

/// The size of a video, in words; empty for numbered pictures.
std::string size_of(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return {};
    return fmt::format("{:.1f} MB, ", static_cast<double>(std::filesystem::file_size(path, error)) / 1e6);
}

/// Describes the cloud shown, the part played, or the steps computed.
std::string motion_of(const RecordingReport& report, const Simulation& simulation) {
    if (const CloudStatus& cloud = report.cloud; cloud.on)
        return fmt::format("{} of {} bodies shown, each for {:.4g} or fewer, {:.3g} pixels apart or less", cloud.shown,
                           cloud.bodies, cloud.most, cloud.spacing);
    const EngineConfig& engine = simulation.engine_config();
    return fmt::format("{} bodies, {}", simulation.system().count(),
                       report.played
                           ? "played to " + named_clock_text(simulation.now().time, simulation.scene().days_per_time,
                                                             simulation.scene().scale_factor)
                           : fmt::format("{} step{} of {:g} by {} on {}", simulation.now().steps,
                                         simulation.now().steps == 1 ? "" : "s", simulation.scene().dt, engine.engine,
                                         name(engine.backend)));
}

}  // namespace

std::string text_of(const RecordingReport& report, const RecorderConfig& config, const Simulation& simulation,
                    const OffscreenContext& context) {
    const std::string length = report.pictures == 1
                                   ? "1 picture"
                                   : fmt::format("{} frames ({:.1f} s at {} per second)", report.pictures,
                                                 static_cast<double>(report.pictures) / config.fps, config.fps);
    const EngineConfig& engine = simulation.engine_config();
    std::string text = fmt::format("{}: {} of {} × {}, {}{}\n", config.path.string(), length, config.width,
                                   config.height, size_of(config.path.string()), report.description);
    text += fmt::format("{}, drawn by {} ({}), in {:.1f} s\n", motion_of(report, simulation),
                        context.gl_info().renderer, context.description(), report.seconds);
    const StageTimes& each = report.times;
    if (report.pictures > 1)
        text += fmt::format(
            "{:.2f} ms per frame: stepping {:.2f}, drawing {:.2f}, waiting {:.2f}; concurrently copying {:.2f}, "
            "encoding {:.2f}\n",
            1e3 * each.frame, 1e3 * each.step, 1e3 * each.draw, 1e3 * each.wait, 1e3 * each.copy, 1e3 * each.encode);
    if (const std::string choice = simulation.system().engine_choice(); !choice.empty())
        text += fmt::format("{}: {}\n", engine.engine, choice);
    if (const double requested = simulation.system().accuracy_to_keep(); requested > 0)
        text += fmt::format("accuracy: {}\n", accuracy_text(simulation.forces().acceptance(), engine, requested));
    return text;
}

std::string json_of(const RecordingReport& report, const RecorderConfig& config, const Simulation& simulation,
                    FrameRenderer& renderer, const OffscreenContext& context) {
    using Json = nlohmann::ordered_json;
    const EngineConfig& engine = simulation.engine_config();
    const Readback& readback = renderer.maker().readback();
    const StageTimes& each = report.times;
    const CloudStatus& cloud = report.cloud;
    const Json seen = cloud.on ? Json{{"bodies", cloud.bodies},
                                      {"shown", cloud.shown},
                                      {"stands_for", cloud.stands_for},
                                      {"most", cloud.most},
                                      {"spacing", cloud.spacing}}
                               : Json{};
    const Json json{{"path", config.path.string()},
                    {"scene", simulation.scene().id},
                    {"bodies", simulation.system().count()},
                    {"engine", engine.engine},
                    {"backend", name(engine.backend)},
                    {"precision", name(engine.precision)},
                    {"choice", simulation.system().engine_choice()},
                    {"cloud", seen},
                    {"pictures", report.pictures},
                    {"steps", simulation.now().steps},
                    {"width", config.width},
                    {"height", config.height},
                    {"supersampling", renderer.maker().size().supersampling},
                    {"fps", config.fps},
                    {"recorder", report.description},
                    {"seconds", report.seconds},
                    {"ms_per_picture",
                     {{"frame", 1e3 * each.frame},
                      {"step", 1e3 * each.step},
                      {"draw", 1e3 * each.draw},
                      {"copy", 1e3 * each.copy},
                      {"encode", 1e3 * each.encode},
                      {"wait", 1e3 * each.wait},
                      {"gl", renderer.maker().gl_ms()}}},
                    {"readback", name_of(readback.way())},
                    {"why_not_cuda", readback.why_not_cuda()},
                    {"renderer", context.gl_info().renderer},
                    {"context", context.description()},
                    {"device", device_name(engine.backend)},
                    {"cpu", cpu_model()},
                    {"driver", driver_version()},
                    {"version", version()},
                    {"commit", commit()}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orrery
