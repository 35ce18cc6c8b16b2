// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/window/window.hpp"

namespace orrery {

enum class ServeCodec {
    kAuto,  ///< H.264 for browsers that decode it, if it can be encoded here; otherwise JPEG
    kH264,  ///< the same, but an error if it cannot be encoded
    kJpeg,
};

struct ServeConfig {
    WindowConfig window;
    std::string address = "127.0.0.1";
    int port = 8080;                         ///< 0: any free port
    std::filesystem::path certificate, key;  ///< PEM; empty: no TLS
    bool framed = false;                     ///< pages of the same host may show it in a frame
    std::string base_url;                    ///< of a proxy in front; empty: none
    std::filesystem::path token_file;        ///< file with a lasting token; empty: each link has its own token
    bool open = false;                       ///< open the link in a browser of this desktop
    ServeCodec codec = ServeCodec::kAuto;
    double bandwidth = 0;  ///< maximum Mbit/s to each viewer; 0: no limit
    int width = 1920, height = 1080;
    int viewers = 16;
    double upload_limit = 1024;   ///< MiB, of all files together
    std::filesystem::path times;  ///< CSV; empty: none
};

/// Shows the window to browsers until a signal ends the program. Returns 0. Throws Error for an address that does not
/// exist or is in use, an unavailable codec or GL, and as run_window().
int run_serve(const ServeConfig& config);

/// The reason why this build cannot serve, in one line; empty if it can.
std::string why_no_serve();

}  // namespace orrery
