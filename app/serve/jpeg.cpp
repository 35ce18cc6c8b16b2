// SPDX-License-Identifier: MIT
#include "app/serve/jpeg.hpp"

#include <fmt/format.h>
#include <turbojpeg.h>

#include "core/base/error.hpp"

namespace orrery {

struct JpegEncoder::State {
    tjhandle handle = tjInitCompress();
    unsigned char* bytes = nullptr;  // allocated by libjpeg-turbo, which resizes it
    unsigned long size = 0;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        tjFree(bytes);
        if (handle) tjDestroy(handle);
    }
};

JpegEncoder::JpegEncoder() : state_{std::make_unique<State>()} {
    if (!state_->handle) environment_error(fmt::format("JPEG: {}", tjGetErrorStr2(nullptr)));
}

JpegEncoder::~JpegEncoder() = default;

void JpegEncoder::encode(const Image& image, int quality, std::vector<std::uint8_t>& into) {
    State& s = *state_;
    if (tjCompress2(s.handle, image.rgba.data(), image.width, 0, image.height, TJPF_RGBA, &s.bytes, &s.size, TJSAMP_420,
                    quality, TJFLAG_FASTDCT) != 0)
        environment_error(fmt::format("JPEG: {}", tjGetErrorStr2(s.handle)));
    into.insert(into.end(), s.bytes, s.bytes + s.size);
}

}  // namespace orrery
