// SPDX-License-Identifier: MIT
#include "tests/app/render/cloud.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace orrery::test {

Frame cloud(std::size_t bodies, unsigned seed) {
    std::mt19937 random{seed};
    std::normal_distribution<float> spread{0, 0.25f};
    Frame frame;
    frame.count = bodies;
    frame.extent = {{0.3, -0.2, 0.1}, 0.62, 0, 1};
    for (std::size_t i = 0; i < bodies; ++i) {
        const float x = spread(random), y = spread(random), z = spread(random);
        frame.host.push_back({0.3f + x, -0.2f + y, 0.1f + z, std::clamp(0.5f + x, 0.0f, 1.0f)});
    }
    return frame;
}

Image Studio::draw(const Frame& frame, const OrbitCamera& camera, const ViewSettings& settings, int width, int height) {
    renderer.note_passed(frame);
    renderer.set_patient(patient);
    const RenderTarget target{width, height};
    renderer.resize(width, height);
    buffer.upload(frame);
    renderer.draw(buffer, frame.extent, camera, settings, target);
    return target.read();
}

ViewSettings linear_view(DrawMode mode) {
    ViewSettings settings;
    settings.mode = mode;
    settings.stretch = 1e-4f;
    settings.exposure_by = ExposureBy::kBodies;
    settings.glow = 0;
    settings.exposure = -0.5f;
    settings.tone_map = ToneMap::kClamp;
    return settings;
}

double light_of(const Image& image, int x, int y) {
    const std::uint8_t* pixel = image.row(y) + 4 * x;
    const double s = std::max({pixel[0], pixel[1], pixel[2]}) / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

int lit(const Image& image) {
    int count = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
        count += image.rgba[i] + image.rgba[i + 1] + image.rgba[i + 2] > 0;
    return count;
}

}  // namespace orrery::test
