// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/lab/lab_drawings.hpp"
#include "app/window/lab/lab_lesson.hpp"
#include "core/lab/form_notes.hpp"

namespace orrery {
namespace {

using namespace lab_colors;

constexpr double kMostWhisker = 1.2;  // of the greatest I and the bound
constexpr float kLeastPlot = 15;      // least width between axis and labels, in multiples of the text size

/// A label beside a curve; keep_apart() separates labels, keeping their order.
struct Word {
    float y;  ///< height of its curve; after keep_apart(), the middle of its line
    std::string text;
    LabLook look;
};
void keep_apart(std::vector<Word>& words, float line, float low, float high) {
    std::ranges::sort(words, {}, &Word::y);
    float next = low + line / 2;
    for (Word& word : words) word.y = std::max(word.y, next), next = word.y + line;
    float last = high - line / 2;
    for (std::size_t i = words.size(); i-- > 0;) words[i].y = std::min(words[i].y, last), last = words[i].y - line;
}

class CurvePlot {
public:
    CurvePlot(const Pen& pen, const Box& box, const LabState& lab, const LabPanel& panel, bool alone)
        : pen_{pen},
          small_{pen.sized(0.8f)},
          experiment_{lab.run.experiment},
          panel_{panel.plot},
          rho_{lab.run.config.rho},
          ghost_{ghost_of(lab, panel.dimensions)},
          title_{std::string{tr("I against N")} + (alone ? "" : ": " + panel.plot.title)} {
        for (const LabSpread& spread : lab.spreads)
            if (spread.dimensions == panel.dimensions) spreads_.push_back(&spread);
        const float labels = widest(curve_names()) + 1.9f * pen.size(), marks = marks_width();
        frame_ = {{box.low.x + pen.width("0.00") + 0.5f * pen.size(), box.low.y + 1.5f * pen.size()},
                  {box.high.x - labels - marks, box.high.y - 1.5f * pen.size()}};
        choose_ends();
    }

    /// Least width of a plot of this panel, in pixels.
    static float least_width(const Pen& pen, const PlotPanel& panel) {
        float labels = 0, marks = 0;
        for (const PlotCurve& curve : panel.curves) labels = std::max(labels, pen.sized(0.8f).width(curve.label));
        for (const PlotMark& mark : panel.marks) marks = std::max(marks, pen.sized(0.8f).width(mark.label));
        return labels + marks + (kLeastPlot + 4) * pen.size();
    }

    void draw() const {
        axes();
        bound();
        ghost();
        for (const PlotCurve& curve : panel_.curves) draw(curve);
        names();
        marks();
    }

private:
    std::vector<std::string> curve_names() const {
        std::vector<std::string> all;
        for (const PlotCurve& curve : panel_.curves) all.push_back(curve.label);
        return all;
    }
    float widest(const std::vector<std::string>& texts) const {
        float most = 0;
        for (const std::string& text : texts) most = std::max(most, small_.width(text));
        return most;
    }
    float marks_width() const {
        std::vector<std::string> all;
        for (const PlotMark& mark : panel_.marks) all.push_back(mark.label);
        return all.empty() ? 0 : std::max(widest(all), small_.width(std::string{tr("papers")})) + 2.2f * pen_.size();
    }

    void choose_ends() {
        double right = -HUGE_VAL;
        y_.include(panel_.reference.value_or(1));
        for (const PlotMark& mark : panel_.marks) y_.include(mark.y);
        for (const PlotCurve& curve : panel_.curves)
            for (const PlotPoint& point : curve.points) y_.include(point.y), right = std::max(right, point.x);
        y_.include(bound_at(right));
        if (ghost_)
            for (const PlotPoint& point : ghost_->points)
                if (point.x <= right) y_.include(point.y);
        // A run disturbed by other programs must not flatten the curves: longer whiskers are cut off.
        double top = bound_at(right);
        for (const PlotCurve& curve : panel_.curves)
            for (const PlotPoint& point : curve.points) top = std::max(top, point.y);
        for (const PlotCurve& curve : panel_.curves)
            for (const LabSpread* spread : spreads_)
                if (spread->label == curve.label)
                    y_.include(spread->least), y_.include(std::min(spread->most, kMostWhisker * top));
        x_.include(0), x_.include(right);
        right_ = right;
        x_.finish(5, 0), y_.finish(5, 0.05);
    }
    float x_of(double x) const { return frame_.low.x + frame_.width() * static_cast<float>(x_.share(x)); }
    float y_of(double y) const { return frame_.high.y - frame_.height() * static_cast<float>(y_.share(y)); }

    void axes() const {
        const float thick = std::max(1.0f, pen_.size() / 12);
        float free = HUGE_VALF;  // a label above this line does not touch the one before
        for (const auto& [y, text] : y_.ticks()) {
            pen_.draw().AddLine({frame_.low.x, y_of(y)}, {frame_.high.x, y_of(y)}, kLine);
            if (y_of(y) > free) continue;
            free = y_of(y) - 1.1f * small_.size();
            small_.text({frame_.low.x - 0.4f * pen_.size(), y_of(y) - small_.size() / 2}, kText, text, Align::kRight);
        }
        for (const auto& [x, text] : x_.ticks()) {
            if (x == 0) continue;
            pen_.draw().AddLine({x_of(x), frame_.high.y}, {x_of(x), frame_.high.y + 0.3f * pen_.size()}, kText);
            small_.text({x_of(x), frame_.high.y + 0.4f * pen_.size()}, kText, grouped(static_cast<std::uint64_t>(x)),
                        Align::kCentre);
        }
        const float across = y_of(panel_.reference.value_or(1));  // no gain
        pen_.draw().AddLine({frame_.low.x, across}, {frame_.high.x, across}, kText, 2 * thick);
        small_.text({frame_.low.x - 0.4f * pen_.size(), frame_.high.y + 0.4f * pen_.size()}, kDim, "N →",
                    Align::kRight);
        pen_.text({frame_.low.x, frame_.low.y - 1.45f * pen_.size()}, kText, title_);
    }

    double bound_at(double bodies) const {
        return lab_bound(experiment_, static_cast<std::uint64_t>(std::max(1.0, bodies)), rho_).improvement;
    }

    /// The greatest possible I over N.
    void bound() const {
        constexpr int kParts = 96;
        std::vector<ImVec2> points;
        for (int i = 1; i <= kParts; ++i) {
            const double bodies = right_ * i / kParts;
            if (bound_at(bodies) > 0) points.emplace_back(x_of(bodies), std::max(y_of(bound_at(bodies)), frame_.low.y));
        }
        for (std::size_t i = 0; i + 1 < points.size(); i += 2)  // dashed
            pen_.draw().AddLine(points[i], points[i + 1], kBound, std::max(1.0f, pen_.size() / 8));
        const std::string_view words = tuple_order(experiment_) == 4   ? "24m³ / ((m + 1)(m + 2)(m + 3))"
                                       : tuple_order(experiment_) == 3 ? "6m² / ((m + 1)(m + 2))"
                                                                       : "2m / (m + 1)";
        small_.text({frame_.high.x - 0.4f * pen_.size(), points.back().y - 1.15f * small_.size()}, kBound, words,
                    Align::kRight);
    }

    /// The curve of a GPU, as far as this one goes.
    void ghost() const {
        if (!ghost_) return;
        std::vector<ImVec2> points;
        for (const PlotPoint& point : ghost_->points)
            if (point.x <= right_) points.emplace_back(x_of(point.x), y_of(point.y));
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            pen_.dashed(points[i], points[i + 1], kGhost, std::max(1.0f, pen_.size() / 7), 0.35f * pen_.size());
        if (points.empty()) return;
        const std::string words = fmt::format("{}, {}", lab_name(ghost_->map, "rsqrt"), ghost_->device);
        small_.text({points.front().x, points.front().y + 0.35f * pen_.size()}, kGhost, words);
    }

    LabLook look(const PlotCurve& curve) const {
        const std::size_t blank = curve.label.find(' ');
        return lab_look(experiment_, curve.label.substr(0, blank),
                        blank == std::string::npos ? "" : curve.label.substr(blank + 1));
    }

    void draw(const PlotCurve& curve) const {
        const LabLook it = look(curve);
        std::vector<ImVec2> points;
        for (const PlotPoint& point : curve.points) points.emplace_back(x_of(point.x), y_of(point.y));
        pen_.draw().AddPolyline(points.data(), static_cast<int>(points.size()), it.color, 0, pen_.size() / 7);
        whiskers(curve, it.color);
        for (const ImVec2 at : points)
            draw_marker(pen_.draw(), at, it.marker, pen_.size() / (points.size() > 12 ? 5.0f : 3.6f), it.color);
    }

    /// From the 90th percentile of the times to the 10th.
    void whiskers(const PlotCurve& curve, ImU32 color) const {
        const float end = pen_.size() / 6, thick = std::max(1.0f, pen_.size() / 14);
        for (const LabSpread* spread : spreads_) {
            if (spread->label != curve.label) continue;
            const float x = x_of(static_cast<double>(spread->bodies)), low = y_of(spread->least),
                        high = std::max(y_of(spread->most), frame_.low.y);
            pen_.draw().AddLine({x, low}, {x, high}, color, thick);
            for (const float y : {low, high}) pen_.draw().AddLine({x - end, y}, {x + end, y}, color, thick);
        }
    }

    /// The name of each curve at its right end.
    void names() const {
        std::vector<Word> words;
        for (const PlotCurve& curve : panel_.curves)
            if (!curve.points.empty()) words.push_back({y_of(curve.points.back().y), curve.label, look(curve)});
        if (words.empty()) return;
        const Pen pen = fitting(words.size());
        const float x = frame_.high.x + 1.1f * pen_.size();
        auto apart = words;
        keep_apart(apart, 1.08f * pen.size(), frame_.low.y - 0.3f * pen_.size(), frame_.high.y + 0.3f * pen_.size());
        std::ranges::stable_sort(words, {}, &Word::y);
        for (std::size_t i = 0; i < words.size(); ++i) {
            pen_.draw().AddLine({frame_.high.x + 0.2f * pen_.size(), words[i].y}, {x, apart[i].y}, apart[i].look.color,
                                std::max(1.0f, pen_.size() / 14));
            draw_marker(pen_.draw(), {x + 0.15f * pen.size(), apart[i].y}, apart[i].look.marker, pen.size() / 4,
                        apart[i].look.color);
            pen.text({x + 0.7f * pen.size(), apart[i].y - pen.size() / 2}, apart[i].look.color, apart[i].text);
        }
    }

    /// Dashed lines for the values in papers, with their labels in a separate column.
    void marks() const {
        std::vector<Word> words;
        for (const PlotMark& mark : panel_.marks) words.push_back({y_of(mark.y), verbatim(mark.label), {}});
        if (words.empty()) return;
        const float width = marks_width(), right = frame_.high.x + widest(curve_names()) + 1.9f * pen_.size();
        const float x = right + 1.8f * pen_.size();
        for (const Word& word : words)
            pen_.dashed({frame_.low.x, word.y}, {frame_.high.x, word.y}, IM_COL32(255, 255, 255, 130),
                        std::max(1.0f, pen_.size() / 14), 0.4f * pen_.size());
        std::ranges::stable_sort(words, {}, &Word::y);
        auto apart = words;
        keep_apart(apart, 1.15f * small_.size(), frame_.low.y, frame_.high.y);
        const float head = std::min(frame_.low.y - 1.3f * pen_.size(), apart.front().y - 1.7f * small_.size());
        small_.text({right + width, head}, kDim, std::string{tr("papers")}, Align::kRight);
        for (std::size_t i = 0; i < words.size(); ++i) {
            pen_.draw().AddLine({x - 1.0f * pen_.size(), words[i].y}, {x - 0.25f * pen_.size(), apart[i].y}, kText);
            small_.text({x, apart[i].y - small_.size() / 2}, kText, apart[i].text);
        }
    }

    /// A smaller pen if there are too many lines.
    Pen fitting(std::size_t lines) const {
        const float most = (frame_.height() + 0.6f * pen_.size()) / static_cast<float>(lines) / 1.08f;
        return small_.sized(std::clamp(most / small_.size(), 0.5f, 1.0f));
    }

    Pen pen_, small_;
    const std::string& experiment_;
    const PlotPanel& panel_;
    std::uint32_t rho_;
    const LabGhost* ghost_;                  // null: none
    double right_ = 0;                       // the largest N
    std::vector<const LabSpread*> spreads_;  // of this panel
    std::string title_;
    Box frame_{};
    PlotScale x_{false}, y_{false};
};

}  // namespace

void lab_curves_drawing(const Pen& pen, const Box& box, const LabState& lab) {
    if (lab.panels.empty()) return;
    // The panel measured last, and as many before it as fit.
    std::size_t first = lab.panels.size() - 1;
    float free = box.width() - CurvePlot::least_width(pen, lab.panels[first].plot);
    while (first > 0 && free >= CurvePlot::least_width(pen, lab.panels[first - 1].plot))
        free -= CurvePlot::least_width(pen, lab.panels[--first].plot);
    const float width = box.width() / static_cast<float>(lab.panels.size() - first);
    for (std::size_t i = first; i < lab.panels.size(); ++i) {
        const float left = box.low.x + width * static_cast<float>(i - first);
        CurvePlot{pen,
                  {{left, box.low.y}, {left + width, box.high.y}},
                  lab,
                  lab.panels[i],
                  i + 1 == lab.panels.size() && i == first}
            .draw();
    }
}

}  // namespace orrery
