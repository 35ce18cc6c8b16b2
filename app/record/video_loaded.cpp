// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include "app/record/video.hpp"

namespace orrery {
namespace {

struct Loaded {
    const VideoLibrary* library = nullptr;
    std::string why_not;
};

/// Remains loaded until the program ends, because encoders have threads.
const Loaded& loaded() {
    static const Loaded once = [] {
        Loaded found;
        if (void* shared = dlopen("liborrery_video.so", RTLD_NOW | RTLD_LOCAL))
            found.library = static_cast<const VideoLibrary*>(dlsym(shared, kVideoLibrarySymbol));
        if (!found.library) found.why_not = dlerror();
        return found;
    }();
    return once;
}

}  // namespace

const VideoLibrary* video_library() { return loaded().library; }
std::string why_no_video_library() { return loaded().why_not; }

}  // namespace orrery
