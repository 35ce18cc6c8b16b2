// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "app/platform/machine.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/record/recorders.hpp"
#include "app/record/video.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/interop.hpp"
#include "app/render/readback.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/gl/info.hpp"
#include "core/gl/sharing.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json cuda_json() {
    const CudaInfo& cuda = cuda_info();
    Json devices = Json::array();
    for (const CudaDevice& device : cuda.devices)
        devices.push_back({{"name", device.name},
                           {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                           {"memory_bytes", device.memory},
                           {"multiprocessors", device.multiprocessors}});
    return {{"available", cuda.available},
            {"reason", cuda.reason},
            {"driver", driver_version()},
            {"devices", std::move(devices)}};
}

/// The OpenGL devices on which engines can run, the one that computes first.
Json gl_compute_json() {
    const GlComputeInfo& gl = gl_compute_info();
    Json devices = Json::array();
    for (const GlDeviceInfo& device : gl.devices)
        devices.push_back({{"place", device.place},
                           {"vendor", device.vendor},
                           {"renderer", device.renderer},
                           {"version", device.version},
                           {"software", device.software},
                           {"max_buffer_bytes", device.max_buffer},
                           {"max_threads", device.max_threads},
                           {"reason", device.why_not},
                           {"why", device.why}});
    return {{"available", gl.available}, {"reason", gl.reason}, {"devices", std::move(devices)}};
}

/// True if recordings are drawn from the buffers of the OpenGL engines.
Json gl_frames_json() {
    if (!gl_compute_info().available) return {{"shared", false}, {"reason", gl_compute_info().reason}};
    const std::string why = gl::why_frames_are_copied();
    return {{"shared", why.empty()}, {"reason", why}};
}

/// Queries the GL that recordings would use, and tries to share one of its buffers with CUDA.
void ask_gl(Json& gl, Json& interop, Json& readback, Json& gl_frames) {
    gl = {{"available", false}, {"reason", ""}, {"vendor", ""}, {"renderer", ""}, {"version", ""}, {"context", ""}};
    interop = {{"available", false}, {"reason", "there is no OpenGL"}};
    readback = {{"way", "none"}, {"why_not_cuda", "there is no OpenGL"}};
    gl_frames = {{"shared", false}, {"reason", "there is no OpenGL"}};
    try {
        const OffscreenContext context{cuda_info().available ? 0 : -1};
        const GlInfo& found = context.gl_info();
        gl = {{"available", true},         {"reason", ""},
              {"vendor", found.vendor},    {"renderer", found.renderer},
              {"version", found.version},  {"context", context.description()},
              {"software", found.software}};
        constexpr std::size_t kBytes = 4096;
        const GlBuffer buffer{kBytes, GL_DYNAMIC_STORAGE_BIT};
        std::string why_not = cuda_info().reason;
        const bool shared = cuda_info().available && try_interop(buffer.name(), kBytes, why_not) != nullptr;
        interop = {{"available", shared}, {"reason", shared ? "" : why_not}};
        const Readback pictures{found, 1};
        readback = {{"way", name_of(pictures.way())}, {"why_not_cuda", pictures.why_not_cuda()}};
        gl_frames = gl_frames_json();
    } catch (const Error& e) {
        gl["reason"] = e.what();
    }
}

Json encoders_json() {
    Json all = Json::array();
    for (const VideoEncoder& encoder : list_video_encoders())
        all.push_back({{"container", encoder.container},
                       {"name", encoder.name},
                       {"available", encoder.available},
                       {"gpu", encoder.gpu},
                       {"bits", encoder.bits},
                       {"reason", encoder.reason}});
    return all;
}

Json video_json(const Json& encoders) {
    const bool any = std::ranges::any_of(encoders, [](const Json& each) { return each["available"].get<bool>(); });
    const std::string why = encoders.empty() ? why_no_video_library() : "libav has none of the encoders";
    return {{"available", any}, {"reason", any ? "" : why}};
}

Json info() {
    Json gl, interop, readback, gl_frames;
    ask_gl(gl, interop, readback, gl_frames);
    const Json encoders = encoders_json();
    return {{"version", version()},
            {"commit", commit()},
            {"compiler", compiler()},
            {"cpu", cpu_model()},
            {"simd", simd_target()},
            {"gl", std::move(gl)},
            {"gl_compute", gl_compute_json()},
            {"gl_frames", std::move(gl_frames)},
            {"cuda", cuda_json()},
            {"interop", std::move(interop)},
            {"readback", std::move(readback)},
            {"mpi", mpi_description()},
            {"nccl", nccl_description()},
            {"video", video_json(encoders)},
            {"encoders", encoders}};
}

std::string text(const Json& value) { return value.get<std::string>(); }

void print_text(const Json& all) {
    const auto line = [](std::string_view what, const std::string& found) { to_stdout("{:<10} {}\n", what, found); };
    line("orrery", fmt::format("{} ({}), {}", text(all["version"]), text(all["commit"]), text(all["compiler"])));
    line("cpu", fmt::format("{}, {}", text(all["cpu"]), text(all["simd"])));
    const Json &gl = all["gl"], &cuda = all["cuda"], &interop = all["interop"];
    line("gl", gl["available"]
                   ? fmt::format("{}, {} ({})", text(gl["renderer"]), text(gl["version"]), text(gl["context"]))
                   : "no: " + text(gl["reason"]));
    const Json& compute = all["gl_compute"];
    if (!compute["available"]) line("gl engines", "no: " + text(compute["reason"]));
    for (const Json& device : compute["devices"])
        if (const std::string why = text(device["reason"]); !why.empty())
            line("gl engines", fmt::format("not on {}: {}", text(device["place"]), why));
        else
            line("gl engines",
                 fmt::format("{}, {}, {} ({}{}), buffers of up to {} MiB", text(device["vendor"]),
                             text(device["renderer"]), text(device["version"]), text(device["place"]),
                             device["software"] ? ", the CPU: only on request" : ", " + text(device["why"]),
                             device["max_buffer_bytes"].get<std::uint64_t>() >> 20));
    if (compute["available"])
        line("gl frames", all["gl_frames"]["shared"] ? std::string{"drawn from the buffers of the engines"}
                                                     : "copied: " + text(all["gl_frames"]["reason"]));
    if (!cuda["available"]) line("cuda", "no: " + text(cuda["reason"]));
    for (const Json& device : cuda["devices"])
        line("cuda", fmt::format("{}, compute capability {}, {:.1f} GiB, {} multiprocessors, driver {}",
                                 text(device["name"]), text(device["compute_capability"]),
                                 static_cast<double>(device["memory_bytes"].get<std::uint64_t>()) / (1 << 30),
                                 device["multiprocessors"].get<int>(), text(cuda["driver"])));
    line("interop", interop["available"] ? std::string{"yes"} : "no: " + text(interop["reason"]));
    const Json& readback = all["readback"];
    const std::string why_not_cuda = text(readback["why_not_cuda"]);
    line("readback", text(readback["way"]) + (why_not_cuda.empty() ? "" : ", not by CUDA: " + why_not_cuda));
    line("mpi", text(all["mpi"]));
    line("nccl", text(all["nccl"]));
    std::string encoders;
    for (const Json& encoder : all["encoders"])
        if (encoder["available"])
            encoders += (encoders.empty() ? "" : ", ") + fmt::format("{} ({}{})", text(encoder["name"]),
                                                                     text(encoder["container"]),
                                                                     encoder["bits"] == 10 ? ", HDR10" : "");
    line("video", encoders.empty() ? "no: " + text(all["video"]["reason"]) + "; PNG pictures work" : encoders);
    line("engines", fmt::format("on {} by default", name(default_backend(default_engine_config().engine))));
}

}  // namespace

Work declare_info(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    add_json(app, *json);
    app.footer(
        "gl is the OpenGL used for recordings, which needs no display; a window uses that of the display. gl engines: "
        "the "
        "OpenGL device on which engines with --backend gl run.");
    return [json] {
        const Json all = info();
        if (*json)
            to_stdout("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
        else
            print_text(all);
        return 0;
    };
}

}  // namespace orrery
