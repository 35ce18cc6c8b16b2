// SPDX-License-Identifier: MIT
#include "app/ui/tree_knobs.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/physics/opening.hpp"

#include "core/engines/map_choices.hpp"

namespace orrery {
namespace {

constexpr double kFirstAccuracy = 1e-3, kFirstTheta = 0.6;  // where a rule begins when it is chosen
constexpr double kThetaOfLocks = 0.5;                       // what engines of θ alone take by themselves
constexpr SliderRange kAccuracies{1e-5, 1e-2, kFirstAccuracy, "%.1e", Scale::kLogarithmic};
constexpr SliderRange kAlphas{1e-5, 0.2, 0.01, "%.2g", Scale::kLogarithmic};
constexpr SliderRange kThetas{0.2, 1.2, kFirstTheta, "%.2f"};

enum class Rule { kAccuracy, kAlpha, kTheta };

Rule rule_of(const TreeConfig& tree) {
    return tree.theta > 0 ? Rule::kTheta : tree.alpha > 0 ? Rule::kAlpha : Rule::kAccuracy;
}

/// The same tree by another rule; α so that the accuracy stays about what it is.
void change_rule(TreeConfig& tree, Rule rule) {
    const double accuracy = tree.accuracy > 0 ? tree.accuracy : kFirstAccuracy;
    tree.accuracy = tree.alpha = tree.theta = 0;
    if (rule == Rule::kAccuracy) tree.accuracy = accuracy;
    if (rule == Rule::kAlpha) tree.alpha = alpha_for(accuracy, tree.order == 1 ? 1 : 2);
    if (rule == Rule::kTheta) tree.theta = kFirstTheta;
}

bool rule_combo(Widgets& ui, TreeConfig& tree) {
    struct Line {
        Rule rule;
        const char *label, *doc;
    };
    static constexpr auto menu = std::to_array<Line>({
        {Rule::kAccuracy, "relative, by accuracy",
         "A cell is opened when its error would be too much of the force that is there anyway; how much is worked out "
         "from the accuracy that is wanted"},
        {Rule::kAlpha, "relative, by α", "The same, with the part of the force, α, as you set it"},
        {Rule::kTheta, "geometric, by θ",
         "A cell is opened when it is seen under more than the angle θ (Barnes & Hut 1986)"},
    });
    const Rule now = rule_of(tree);
    const auto shown = std::ranges::find(menu, now, &Line::rule);
    if (!ui.begin_combo("Opening", shown->label, "When a cell is too near to be taken whole")) return false;
    std::optional<Rule> chosen;
    for (const Line& line : menu)
        if (ui.choice(line.label, line.rule == now, line.doc)) chosen = line.rule;
    ui.end_combo();
    if (chosen) change_rule(tree, *chosen);
    return chosen.has_value();
}

bool theta_slider(Widgets& ui, TreeConfig& tree) {
    double theta = tree.theta > 0 ? tree.theta : kThetaOfLocks;
    if (!ui.slider("θ", theta, kThetas, "Opening angle: smaller is more exact and slower")) return false;
    tree.theta = theta;
    return true;
}

bool rule_slider(Widgets& ui, TreeConfig& tree) {
    switch (rule_of(tree)) {
        case Rule::kTheta:
            return theta_slider(ui, tree);
        case Rule::kAlpha:
            return ui.slider("α", tree.alpha, kAlphas,
                             "Part of the force that a cell's error may be: smaller is more exact and slower");
        case Rule::kAccuracy:
            break;
    }
    double accuracy = tree.accuracy > 0 ? tree.accuracy : kFirstAccuracy;
    if (!ui.slider("Accuracy", accuracy, kAccuracies, "Relative RMS error of the forces that is wanted")) return false;
    tree.accuracy = accuracy;
    return true;
}

bool order_combo(Widgets& ui, int& order) {
    static constexpr std::array<const char*, 3> names{"auto", "monopoles", "quadrupoles"};
    const auto place = static_cast<std::size_t>(std::clamp(order, 0, 2));
    if (!ui.begin_combo("Order", names[place], "What is known of a cell: its mass, or also how it is spread"))
        return false;
    bool edited = false;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (ui.choice(names[i], i == place, "")) order = static_cast<int>(i), edited = true;
    ui.end_combo();
    return edited;
}

std::string size_text(int size) { return size == 0 ? "auto" : fmt::format("{}", size); }

bool size_combo(Widgets& ui, const char* label, const char* tip, int& size, std::initializer_list<int> sizes) {
    if (!ui.begin_combo(label, size_text(size), tip)) return false;
    bool edited = false;
    for (const int choice : sizes)
        if (ui.choice(size_text(choice), choice == size, "")) size = choice, edited = true;
    ui.end_combo();
    return edited;
}

}  // namespace

bool tree_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    ImGui::Spacing();
    TreeConfig& tree = config.tree;
    if (entry.theta_only) return theta_slider(ui, tree);
    bool edited = rule_combo(ui, tree);
    edited |= rule_slider(ui, tree);
    edited |= order_combo(ui, tree.order);
    edited |= size_combo(ui, "Leaf size", "Most bodies of a leaf", tree.leaf, {0, 8, 16, 32, 64});
    constexpr const char* tip = "Most neighbours that walk the tree together";
    if (config.backend == Backend::kCpu)
        edited |= size_combo(ui, "Group size", tip, tree.group, {0, 8, 16, 24, 32, 40, 48, 56, 64});
    else
        edited |= size_combo(ui, "Group size", tip, tree.group, {0, 32, 64, 96, 128});
    return edited;
}

}  // namespace orrery
