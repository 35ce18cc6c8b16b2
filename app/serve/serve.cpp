// SPDX-License-Identifier: MIT
#include "app/serve/serve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "app/platform/machine.hpp"
#include "app/serve/access.hpp"
#include "app/serve/base_url.hpp"
#include "app/serve/served_window.hpp"
#include "app/serve/server.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

constexpr double kMebi = 1024 * 1024;

bool use_h264(const ServeConfig& config) {
    if (config.codec == ServeCodec::kJpeg) return false;
    const std::string why = Encoding::why_no_h264();
    if (!why.empty() && config.codec == ServeCodec::kH264) environment_error("--codec h264: " + why);
    return why.empty();
}

ServerConfig server_config(const ServeConfig& config) {
    return {.address = config.address,
            .port = config.port,
            .certificate = config.certificate,
            .key = config.key,
            .framed = config.framed,
            .base = config.base_url.empty() ? std::nullopt : std::optional{base_url(config.base_url)},
            .lasting_token = config.token_file.empty() ? std::string{} : token_of_file(config.token_file)};
}

/// Prints the line that users and scripts wait for. It omits a lasting token, because logs keep such lines.
void invite(const ServeConfig& config, const Server& server) {
    if (config.token_file.empty())
        to_stdout("orrery: open {}\n", server.link());
    else
        to_stdout("orrery: open {} with the token in {}\n", server.address(), config.token_file.string());
    output_error();
    if (config.open && !open_on_desktop(server.link()))
        to_stderr("orrery: --open: xdg-open is missing, which opens the browser\n");
}

}  // namespace

std::string why_no_serve() { return {}; }

int run_serve(const ServeConfig& config) {
    ServeTimes times{config.times};
    Inbox inbox;
    const auto upload_bytes = static_cast<std::uint64_t>(std::llround(config.upload_limit * kMebi));
    Viewers viewers{{.viewers = static_cast<std::size_t>(config.viewers),
                     .bits_per_second = 1e6 * config.bandwidth,
                     .h264 = use_h264(config),
                     .upload_bytes = upload_bytes},
                    inbox};
    Uploads uploads{upload_bytes};
    MadeFiles made;
    Encoding encoding{viewers};
    Server server{server_config(config), viewers, uploads, made, times};
    viewers.when_changed([&server] { server.wake(); }, [&encoding] { encoding.wake(); });
    const ServedWindow::Config window{
        .most_width = config.width, .most_height = config.height, .made_file = [&](const std::filesystem::path& path) {
            if (const auto file = made.add(path))
                viewers.send_to_all(file_message(file->id, file->size, safe_name(file->path.filename().string())));
        }};
    run_window(config.window, [&](int, int) {
        auto surface = std::make_unique<ServedWindow>(window, viewers, inbox, encoding);
        invite(config, server);
        return surface;
    });
    viewers.when_changed([] {}, [] {});
    if (const std::string summary = times.finish(); !summary.empty()) to_stdout("orrery: {}\n", summary);
    return 0;
}

}  // namespace orrery
