// SPDX-License-Identifier: MIT
#include "app/render/optics_buffers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/vec.hpp"
#include "core/bodies/body_metadata.hpp"

namespace orrery {
namespace {

constexpr float kMissingLight = 0.2f;  // of the mean: grey, as bodies without a value in colour maps

template <class Number>
void upload(GlBuffer& buffer, const std::vector<Number>& numbers) {
    const std::size_t bytes = std::max<std::size_t>(numbers.size(), 1) * sizeof(Number);
    if (buffer.bytes() != bytes) buffer = GlBuffer{}, buffer = GlBuffer{bytes, GL_DYNAMIC_STORAGE_BIT};
    if (!numbers.empty()) buffer.write(numbers.data(), bytes);
}

/// Calls put(row) for the drawn bodies, with their indices in the frame.
template <class Put>
void for_each_row(const SharedBuffer& bodies, const Put& put) {
    for (std::size_t i = 0; i < bodies.count(); ++i) put(bodies.rows() ? (*bodies.rows())[i] : i);
}

bool belongs(const BodyOptics::Numbers& numbers, const SharedBuffer& bodies) {
    return numbers && numbers->size() == bodies.bodies_of_frame();
}

}  // namespace

OpticsBuffers::Source OpticsBuffers::source_of(const SharedBuffer& bodies) {
    return {bodies.words() ? bodies.words()->optics : BodyOptics{}, bodies.rows()};
}

bool OpticsBuffers::shown(const SharedBuffer& bodies, const ViewSettings& settings) {
    return color_mode(settings.color_mode).by == ColorBy::kStarlight && bodies.words() &&
           std::ranges::all_of(bodies.words()->optics.light,
                               [&](const BodyOptics::Numbers& band) { return belongs(band, bodies); });
}

const OpticsBuffers::Lengths& OpticsBuffers::lengths(const SharedBuffer& bodies) {
    Source now = source_of(bodies);
    if (now == lengths_of_) return lengths_;
    lengths_of_ = std::move(now);
    lengths_ = {};
    const BodyOptics& optics = lengths_of_.optics;
    if (!belongs(optics.lengths, bodies)) return lengths_;
    std::vector<float> lengths;
    lengths.reserve(bodies.count());
    for_each_row(bodies, [&](std::size_t row) { lengths.push_back((*optics.lengths)[row]); });
    upload(lengths_buffer_, lengths);
    return lengths_ = {lengths_buffer_.name(), static_cast<float>(optics.support),
                       std::ranges::all_of(lengths, [](float length) { return length > 0; })};
}

const OpticsBuffers::Light& OpticsBuffers::light(const SharedBuffer& bodies) {
    Source now = source_of(bodies);
    if (now == light_of_ && light_.name != 0) return light_;
    light_of_ = std::move(now);
    const BodyOptics& optics = light_of_.optics;
    const auto& [red, green, blue] = optics.light;
    const bool absorbs = belongs(optics.dust, bodies);
    std::vector<Vec4f> all;
    all.reserve(bodies.count());
    double sum = 0, dust = 0;
    std::size_t shining = 0, absorbing = 0;
    for_each_row(bodies, [&](std::size_t row) {
        Vec4f body{(*red)[row], (*green)[row], (*blue)[row], 0};
        if (absorbs && (*optics.dust)[row] > 0) body.w = (*optics.dust)[row], dust += body.w, ++absorbing;
        const float light = (body.x + body.y + body.z) / 3;
        if (light > 0) sum += light, ++shining;
        all.push_back(body);
    });
    const double mean = shining > 0 ? sum / static_cast<double>(shining) : 1;
    const auto missing = static_cast<float>(kMissingLight * mean);
    double total = 0;
    for (Vec4f& body : all) {
        if (std::isnan(body.x + body.y + body.z)) body = {missing, missing, missing, body.w};
        total += (body.x + body.y + body.z) / 3;
    }
    const auto factor = static_cast<float>(total > 0 ? static_cast<double>(all.size()) / total : 0);
    for (Vec4f& body : all) body = {factor * body.x, factor * body.y, factor * body.z, body.w};
    upload(light_buffer_, all);
    return light_ = {light_buffer_.name(),
                     absorbing > 0 ? static_cast<float>(dust / static_cast<double>(absorbing)) : 0};
}

}  // namespace orrery
