// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavutil/frame.h>
}

#include <memory>
#include <string>

namespace orrery {

/// Converts RGBA frames to 256 colours, chosen for each frame and dithered, for GIF: libavfilter's palettegen and
/// paletteuse.
class PaletteFilter {
public:
    /// `name` is for messages. Throws Error{kEnvironment} if libavfilter fails.
    PaletteFilter(const std::string& name, int width, int height, int fps);
    ~PaletteFilter();
    void push(AVFrame* picture);  ///< null: end of the stream
    bool pull(AVFrame* out);      ///< false: no frame is ready

private:
    struct Graph;
    std::string name_;
    std::unique_ptr<Graph> graph_;
};

}  // namespace orrery
