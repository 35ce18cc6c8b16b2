// SPDX-License-Identifier: MIT
#include "app/picture/halo_marks.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/picture/legend.hpp"

namespace orrery {
namespace {

constexpr ImU32 kHaloInk = IM_COL32(86, 180, 233, 190), kLitHaloInk = IM_COL32(255, 160, 60, 255),
                kMemberInk = IM_COL32(255, 176, 84, 150);
constexpr double kLeastRadius = 1.5, kLeastLabelled = 5;  // pixels

std::string mass_text(const Halo& halo, const HaloUnits& units) {
    if (!(halo.mass > 0)) return {};
    return fmt::format("{:.3g}{}{}", halo.mass, units.mass.word.empty() ? "" : " ", units.mass.word);
}

/// The rectangle that a label takes, about.
struct LabelBox {
    double left, top, right, bottom;
    bool overlaps(const LabelBox& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

/// Parts of a circle: without an ImGui context, ImGui cannot choose them.
int segments_of(double radius) { return static_cast<int>(std::clamp(16 + 2 * std::sqrt(40 * radius), 16.0, 256.0)); }

ImVec2 vector_of(const glm::dvec2& at) { return {static_cast<float>(at.x), static_cast<float>(at.y)}; }

}  // namespace

std::optional<std::size_t> nearest_time(const HaloCatalogue& catalogue, double scale_factor) {
    if (catalogue.times.size() == 1) return 0;
    if (!(scale_factor > 0) || catalogue.times.empty() || catalogue.times.front().scale_factor <= 0)
        return std::nullopt;
    const auto apart = [&](const HaloTime& time) { return std::abs(time.scale_factor - scale_factor); };
    return static_cast<std::size_t>(std::ranges::min_element(catalogue.times, {}, apart) - catalogue.times.begin());
}

bool ShownHalos::is_lit(std::uint32_t halo) const {
    return halo == lit || (line && std::ranges::find(*line, halo) != line->end());
}

std::vector<std::uint32_t> ShownHalos::at(double scale_factor) const {
    if (!catalogue) return {};
    const auto shown = time ? time : nearest_time(*catalogue, scale_factor);
    if (!shown) return {};
    const auto among = catalogue->at(catalogue->times[*shown]);
    std::vector<std::uint32_t> halos{among.begin(), among.end()};
    const auto heavier = [&](std::uint32_t a, std::uint32_t b) {
        const double x = catalogue->halos[a].mass, y = catalogue->halos[b].mass;
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return x != y ? x > y : a < b;
    };
    const std::size_t most = std::min(circles, halos.size());
    std::ranges::partial_sort(halos, halos.begin() + static_cast<std::ptrdiff_t>(most), heavier);
    halos.resize(most);
    const auto add_lit = [&](std::uint32_t i) {  // lit ones are drawn even if they are light
        if (catalogue->time_of(i) == *shown && std::ranges::find(halos, i) == halos.end()) halos.push_back(i);
    };
    if (lit != kNoHalo) add_lit(lit);
    if (line) std::ranges::for_each(*line, add_lit);
    return halos;
}

std::vector<HaloCircle> halo_circles(const ShownHalos& shown, std::span<const std::uint32_t> halos,
                                     const OrbitCamera& camera, double width, double height, double text_height,
                                     const Periodic& space) {
    const HaloCatalogue& catalogue = *shown.catalogue;
    const glm::dvec3 eye = camera.eye(), back = camera.back();
    std::vector<HaloCircle> circles;
    std::vector<LabelBox> taken;
    for (const std::uint32_t i : halos) {
        const Halo& halo = catalogue.halos[i];
        if (!(halo.radius > 0)) continue;
        const Vec3d drawn = space.nearest(halo.position);
        const glm::dvec3 place{drawn.x, drawn.y, drawn.z};
        const auto at = camera.project(place, width, height);
        if (!at) continue;
        const glm::dvec3 away = eye - place;
        const double depth = away.x * back.x + away.y * back.y + away.z * back.z;
        const double radius = std::max(kLeastRadius, halo.radius * camera.pixels_per_length(depth, height));
        if (at->x < -radius || at->y < -radius || at->x > width + radius || at->y > height + radius) continue;
        HaloCircle circle{.at = *at, .radius = radius, .lit = shown.is_lit(i), .halo = i};
        std::string label = circle.lit || radius >= kLeastLabelled ? mass_text(halo, catalogue.units) : std::string{};
        const double wide = 0.6 * text_height * static_cast<double>(label.size());
        const LabelBox box{at->x + 0.75 * radius, at->y - 0.75 * radius - text_height, at->x + 0.75 * radius + wide,
                           at->y - 0.75 * radius};
        const bool room = std::ranges::none_of(taken, [&](const LabelBox& other) { return box.overlaps(other); });
        if (!label.empty() && (room || circle.lit)) {
            circle.label = std::move(label);
            taken.push_back(box);
        }
        circles.push_back(std::move(circle));
    }
    return circles;
}

const HaloCircle* circle_at(std::span<const HaloCircle> circles, glm::dvec2 point, double reach) {
    const HaloCircle* found = nullptr;
    double least = reach;
    for (const HaloCircle& circle : circles) {
        const double apart = std::abs(std::hypot(point.x - circle.at.x, point.y - circle.at.y) - circle.radius);
        if (apart <= least) least = apart, found = &circle;
    }
    return found;
}

void draw_halo_circles(ImDrawList& draw, ImFont* font, float size, std::span<const HaloCircle> circles) {
    const float width = std::max(1.0f, size / 12);
    for (const HaloCircle& circle : circles) {
        const ImU32 ink = circle.lit ? kLitHaloInk : kHaloInk;
        draw.AddCircle(vector_of(circle.at), static_cast<float>(circle.radius), ink, segments_of(circle.radius),
                       circle.lit ? 2 * width : width);
    }
    for (const HaloCircle& circle : circles)
        if (!circle.label.empty())
            draw_words(draw, font, size, circle.label, static_cast<float>(circle.at.x + 0.75 * circle.radius),
                       static_cast<float>(circle.at.y - 0.75 * circle.radius) - size);
}

void draw_halo_members(ImDrawList& draw, float size, std::span<const glm::dvec2> members) {
    const float half = std::max(0.75f, size / 16);
    for (const glm::dvec2& at : members) {
        const ImVec2 place = vector_of(at);
        draw.AddRectFilled({place.x - half, place.y - half}, {place.x + half, place.y + half}, kMemberInk);
    }
}

}  // namespace orrery
