// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/catalogues/merger_tree.hpp"
#include "core/plot/plot.hpp"
#include "core/plot/scales.hpp"

namespace orrery {
namespace {

constexpr double kTreeWidth = 960, kTreeMargin = 60, kRowHeight = 16, kLeastHeight = 160, kAbove = 70, kBelow = 60;
constexpr double kThinnest = 0.8, kWidest = 12;  // pixels
constexpr const char *kUnlit = "#56606b", *kLit = okabe_ito::kVermilion;

class TreeFigure {
public:
    TreeFigure(const HaloCatalogue& catalogue, const MergerTree& tree) : catalogue_{catalogue}, tree_{tree} {
        times_.include(tree.first), times_.include(tree.last);
        times_.finish(8, 0);
        height_ = std::max(kLeastHeight, kRowHeight * (tree.highest_row - tree.lowest_row + 2));
    }
    double height() const { return kAbove + height_ + kBelow; }
    double x(double time) const { return kTreeMargin + times_.share(time) * (kTreeWidth - 2 * kTreeMargin); }
    double y(double row) const {
        const double share = (tree_.highest_row + 1 - row) / (tree_.highest_row - tree_.lowest_row + 2);
        return kAbove + share * height_;
    }

    std::string axis() const {
        std::string text;
        const double bottom = kAbove + height_;
        for (const PlotTick& tick : times_.ticks()) {
            fmt::format_to(std::back_inserter(text),
                           "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#e0e0e0\"/>\n",
                           x(tick.value), kAbove, bottom);
            text += svg::text(x(tick.value), bottom + 20, "middle", tick.text, 13);
        }
        return text + svg::text(kTreeWidth / 2, bottom + 44, "middle",
                                tree_.by_scale_factor ? "scale factor a" : "number of the snapshot");
    }

    std::string branch(const TreeBranch& branch, const char* color) const {
        std::string text;
        const auto line = [&](double x1, double y1, double x2, double y2, double width) {
            fmt::format_to(std::back_inserter(text),
                           "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{:.2f}\" "
                           "stroke-linecap=\"round\"/>\n",
                           x1, y1, x2, y2, color, width);
        };
        const auto at = [&](std::uint32_t i) { return x(tree_.time_of(catalogue_.halos[i])); };
        const auto width = [&](std::uint32_t i) { return line_width(tree_, catalogue_.halos[i], kThinnest, kWidest); };
        const double here = y(branch.row);
        for (std::size_t i = 0; i + 1 < branch.halos.size(); ++i)
            line(at(branch.halos[i]), here, at(branch.halos[i + 1]), here, width(branch.halos[i]));
        const std::uint32_t last = branch.halos.back();
        if (branch.into != kNoBranch)
            line(at(last), here, at(branch.merger), y(tree_.branches[branch.into].row), std::min(width(last), 2.0));
        if (branch.halos.size() == 1)  // a dot
            line(at(last), here, at(last), here, std::max(3.0, width(last)));
        return text;
    }

private:
    const HaloCatalogue& catalogue_;
    const MergerTree& tree_;
    PlotScale times_{false};
    double height_ = 0;
};

}  // namespace

std::string merger_tree_svg(const HaloCatalogue& catalogue, const MergerTree& tree, const std::string& title,
                            std::size_t lit) {
    const TreeFigure figure{catalogue, tree};
    std::string text = svg::begin(kTreeWidth, figure.height());
    text += svg::text(kTreeMargin, 28, "start", title, 18);
    std::string note = fmt::format("{} branches; widths grow with the cube root of the mass", tree.branches.size());
    if (tree.left_out > 0) note += fmt::format("; {} lighter branches are left out", tree.left_out);
    if (lit != kNoBranch)
        note += fmt::format("; lit: the branch of halo {}", label_of(catalogue.halos[tree.branches[lit].halos.back()]));
    text += svg::text(kTreeMargin, 50, "start", note, 13);
    text += figure.axis();
    for (std::size_t i = 0; i < tree.branches.size(); ++i)
        if (i != lit) text += figure.branch(tree.branches[i], kUnlit);
    if (lit != kNoBranch) text += figure.branch(tree.branches[lit], kLit);
    return text + "</svg>\n";
}

}  // namespace orrery
