// SPDX-License-Identifier: MIT
#include "app/serve/serve.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/commands/commands.hpp"
#include "app/commands/window_options.hpp"
#include "core/base/error.hpp"

namespace orrery {

Work declare_serve(CLI::App& app) {
    struct Options {
        WindowOptions window;
        ServeConfig serve;
    };
    const auto options = std::make_shared<Options>();
    ServeConfig& serve = options->serve;
    add_window(app, options->window);
    app.add_option("--port", serve.port, "TCP port; 0: any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    app.add_option("--bind", serve.address,
                   "Address to listen on; 0.0.0.0: all IPv4 addresses of this machine, ::: all addresses, for access "
                   "from other machines")
        ->capture_default_str();
    CLI::Option* certificate =
        app.add_option("--tls-certificate", serve.certificate, "Encrypt, with this certificate (PEM)");
    CLI::Option* key = app.add_option("--tls-key", serve.key, "Private key of the certificate (PEM)");
    certificate->needs(key), key->needs(certificate);
    app.add_flag("--in-frames", serve.framed,
                 "Let pages of the same host show the window in a frame, as a notebook does");
    app.add_option("--base-url", serve.base_url,
                   "Address of the page behind a proxy, as https://hub.example/user/me/proxy/8080/");
    app.add_option("--token-file", serve.token_file,
                   "A token for any number of browsers, from this file; written with a new token if it does not exist");
    app.add_flag("--open", serve.open, "Open the link in a browser of this desktop");
    app.add_option_function<std::string>(
           "--codec",
           [&serve](const std::string& id) {
               serve.codec = id == "h264" ? ServeCodec::kH264 : id == "jpeg" ? ServeCodec::kJpeg : ServeCodec::kAuto;
           },
           "Codec of the frames; auto: H.264 for browsers that decode it, else JPEG")
        ->check(CLI::IsMember({"auto", "h264", "jpeg"}))
        ->default_str("auto");
    app.add_option(
           "--bandwidth", serve.bandwidth,
           "Maximum Mbit/s to each viewer; 0: as much as arrives in time. Limits quality, size and rate of frames")
        ->check(CLI::Range(0.0, 10000.0))
        ->capture_default_str();
    app.add_option("--width", serve.width, "Maximum width of the window, which follows the controller's browser")
        ->check(CLI::Range(64, 8192))
        ->capture_default_str();
    app.add_option("--height", serve.height, "Maximum height of the window")
        ->check(CLI::Range(64, 8192))
        ->capture_default_str();
    app.add_option("--viewers", serve.viewers, "Maximum number of viewers; one of them controls")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--upload-limit", serve.upload_limit, "Maximum MiB of all files sent by viewers")
        ->check(CLI::Range(0.0, 1048576.0))
        ->capture_default_str();
    app.add_option("--times", serve.times, "Write the time and size of each frame, as CSV");
    app.footer(
        "The window in a browser. Open the link that is printed; on another machine through\n  ssh -L "
        "8080:localhost:8080 HOST orrery serve\nCtrl + C ends the program.");
    return [options, &app] {
        if (const std::string why = why_no_serve(); !why.empty()) environment_error("serve: " + why);
        ServeConfig config = options->serve;
        config.window = window_config(app, options->window);
        return run_serve(config);
    };
}

}  // namespace orrery
