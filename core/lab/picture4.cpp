// SPDX-License-Identifier: MIT
#include "core/lab/picture4.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/lab/launch_variants4.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

Map4Picture map4_picture(FormChoice form, std::uint32_t side) {
    std::vector<std::vector<DrawnCube>> layers(side);
    Map4Picture picture;
    with_form4(form, [&](auto map) {
        map.launches(side, [&](Extent blocks, auto find) {
            for (std::uint32_t z = 0; z < blocks.z; ++z)
                for (std::uint32_t y = 0; y < blocks.y; ++y)
                    for (std::uint32_t x = 0; x < blocks.x; ++x, ++picture.blocks) {
                        const TileQuadruple t = find(GridPosition{x, y, z}, side);
                        if (find.idles(t, side)) continue;
                        layers[t.l].push_back({t.i, t.k - t.j, t.l - t.k, picture.blocks, true});
                    }
        });
    });
    constexpr float kGap = 1;
    const CubeDrawing largest = cubes_in_space(layers.back(), side, side);
    picture.drawing.height = largest.height;
    for (std::uint32_t l = 0; l < side; ++l) {
        const CubeDrawing layer = cubes_in_space(std::move(layers[l]), l + 1, l + 1);
        const float right = picture.drawing.width + (l > 0 ? kGap : 0), down = largest.height - layer.height;
        for (CubeFace face : layer.faces) {
            for (auto& [x, y] : face.corners) x += right, y += down;
            picture.drawing.faces.push_back(face);
        }
        picture.drawing.width = right + layer.width;
    }
    return picture;
}

std::string map4_svg(const Map4Picture& picture, std::string_view title) {
    constexpr double kEdge = 17, kMargin = 20, kHead = 34;
    const double width = kEdge * picture.drawing.width + 2 * kMargin,
                 height = kEdge * picture.drawing.height + kHead + 2 * kMargin;
    std::string figure = svg::begin(width, height);
    figure += svg::text(kMargin, kMargin + svg::kFont, "start", std::string{title});
    for (const CubeFace& face : picture.drawing.faces) {
        std::string points;
        for (const auto& [x, y] : face.corners)
            points += fmt::format("{:.1f},{:.1f} ", kMargin + kEdge * x, kMargin + kHead + kEdge * y);
        points.pop_back();
        const double share = picture.blocks > 1 ? double(face.block) / (picture.blocks - 1) : 0;
        const auto channel = [&](double at_begin, double at_end) {
            return static_cast<int>(face.light * (at_begin + share * (at_end - at_begin)));
        };
        figure += fmt::format("<polygon points=\"{}\" fill=\"rgb({},{},{})\" stroke=\"#222\" stroke-width=\"0.5\"/>\n",
                              points, channel(70, 240), channel(130, 110), channel(240, 60));
    }
    return figure + "</svg>\n";
}

}  // namespace orrery
