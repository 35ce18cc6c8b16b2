// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/window/window.hpp"

namespace orrery {

enum class ServeCodec {
    kAuto,  ///< H.264 for browsers that decode it, if it can be encoded here, else JPEG
    kH264,  ///< the same; an error where it cannot be encoded
    kJpeg,
};

struct ServeConfig {
    WindowConfig window;
    std::string address = "127.0.0.1";
    int port = 8080;                         ///< 0: any that is free
    std::filesystem::path certificate, key;  ///< PEM; empty: no TLS
    bool framed = false;                     ///< pages of the same host may show it in a frame
    std::string base_url;                    ///< of a proxy in front; empty: none
    std::filesystem::path token_file;        ///< holds a token that lasts; empty: each link has one of its own
    bool open = false;                       ///< the link, in a browser of this desktop
    ServeCodec codec = ServeCodec::kAuto;
    double bandwidth = 0;  ///< Mbit/s to each viewer at most; 0: no limit
    int width = 1920, height = 1080;
    int viewers = 16;
    double upload_limit = 1024;   ///< MiB of all files together
    std::filesystem::path times;  ///< CSV; empty: none
};

/// Shows the window to browsers until a signal ends the program. Returns 0; throws Error for an address that is not
/// there or taken, a codec that cannot be, no GL, and as run_window().
int run_serve(const ServeConfig& config);

/// One line: why this build cannot; empty if it can.
std::string why_no_serve();

}  // namespace orrery
