// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/camera/periodic.hpp"
#include "core/catalogues/catalogue.hpp"

struct ImDrawList;
struct ImFont;

namespace orrery {

// Haloes over a picture, in the window and in recordings: circles with their masses, and the bodies of one halo.

/// The haloes of a catalogue that are drawn. A value; copies share the catalogue.
struct ShownHalos {
    static constexpr std::size_t kMostCircles = 10'000, kDefaultCircles = 50;

    std::shared_ptr<const HaloCatalogue> catalogue;             ///< in the units of the scene
    std::size_t circles = kDefaultCircles;                      ///< drawn at most: the heaviest haloes of the time
    std::uint32_t lit = kNoHalo;                                ///< index of the halo whose circle is coloured
    std::shared_ptr<const std::vector<std::uint32_t>> members;  ///< of the lit halo: bodies that are drawn as dots

    std::shared_ptr<const std::vector<std::uint32_t>> line;  ///< the lit halo at other times; null: none
    std::optional<std::size_t> time;  ///< shown at any scale factor, an index of HaloCatalogue::times

    bool is_lit(std::uint32_t halo) const;
    /// The haloes at a time, the heaviest first, at most `circles`; the lit one is among them. `scale_factor` 0: the
    /// only time, or none.
    std::vector<std::uint32_t> at(double scale_factor) const;
};

/// The time of a catalogue nearest to a scale factor; empty if it has several and states none.
std::optional<std::size_t> nearest_time(const HaloCatalogue& catalogue, double scale_factor);

/// A circle in a picture, in pixels from the upper left.
struct HaloCircle {
    glm::dvec2 at;
    double radius = 0;
    std::string label;  ///< its mass; empty: there is no room
    bool lit = false;
    std::uint32_t halo = kNoHalo;  ///< index
};

/// The circles of these haloes in a picture of this size, the heaviest first. Haloes behind the eye or without a radius
/// have none. Labels that would overlap an earlier one are left out; `text_height` in pixels. In a periodic `space` a
/// halo is drawn at its image nearest to the centre.
std::vector<HaloCircle> halo_circles(const ShownHalos& shown, std::span<const std::uint32_t> halos,
                                     const OrbitCamera& camera, double width, double height, double text_height,
                                     const Periodic& space = {});

/// The circle whose line is nearest to a point, at most `reach` pixels away; null: none.
const HaloCircle* circle_at(std::span<const HaloCircle> circles, glm::dvec2 point, double reach);

void draw_halo_circles(ImDrawList& draw, ImFont* font, float size, std::span<const HaloCircle> circles);
/// Dots for the bodies of the lit halo; positions in pixels.
void draw_halo_members(ImDrawList& draw, float size, std::span<const glm::dvec2> members);

}  // namespace orrery
