// SPDX-License-Identifier: MIT
#include "app/ui/tree_knobs.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/ui/setting_control.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/opening.hpp"

#include "core/engines/menu.hpp"

namespace orrery {
namespace {

constexpr double kFirstAccuracy = 1e-3, kFirstTheta = 0.6;  // initial values of a criterion that is chosen
constexpr double kThetaOfLocks = 0.5;                       // default of engines with θ only
constexpr double kDefaultAlpha = 0.01;

enum class Rule { kNone, kAccuracy, kAlpha, kTheta };

/// The engine `auto` may work without a tree; it uses one only if an acceptable error is given.
Rule rule_of(const TreeConfig& tree, const EngineEntry& entry) {
    if (tree.theta > 0) return Rule::kTheta;
    if (tree.alpha > 0) return Rule::kAlpha;
    return tree.accuracy > 0 || entry.id != "auto" ? Rule::kAccuracy : Rule::kNone;
}

/// The same tree with another criterion; α keeps the accuracy about the same.
void change_rule(TreeConfig& tree, const EngineEntry& entry, Rule rule) {
    const double accuracy = tree.accuracy > 0 ? tree.accuracy : kFirstAccuracy;
    tree.accuracy = tree.alpha = tree.theta = 0;
    if (rule == Rule::kAccuracy) tree.accuracy = accuracy;
    if (rule == Rule::kAlpha)
        tree.alpha = entry.has(Capability::kGroups)
                         ? alpha_for(accuracy, tree.order == 1 ? 1 : 2)
                         : fmm_choice({.accuracy = accuracy, .order = tree.order}, entry.backend, 0).alpha();
    if (rule == Rule::kTheta) tree.theta = kFirstTheta;
}

bool rule_combo(Widgets& ui, TreeConfig& tree, const EngineEntry& entry) {
    struct Line {
        Rule rule;
        const char *label, *doc;
    };
    static constexpr auto menu = std::to_array<Line>({
        {Rule::kNone, "none: exact engines only", "Only engines that sum all pairs are tried"},
        {Rule::kAccuracy, "relative, by accuracy",
         "A cell is opened if its estimated error exceeds a fraction α of the acceleration of the group; α follows "
         "from the requested accuracy"},
        {Rule::kAlpha, "relative, by α", "The same with your own α"},
        {Rule::kTheta, "geometric, by θ",
         "A cell is opened if it is seen under an angle larger than θ (Barnes & Hut 1986)"},
    });
    const Rule now = rule_of(tree, entry);
    const auto shown = std::ranges::find(menu, now, &Line::rule);
    if (!ui.begin_combo("Opening", shown->label,
                        "Multipole acceptance criterion (MAC): when a cell is opened instead of accepted"))
        return false;
    std::optional<Rule> chosen;
    for (const Line& line : menu)
        if ((line.rule != Rule::kNone || entry.id == "auto") && ui.choice(line.label, line.rule == now, line.doc))
            chosen = line.rule;
    ui.end_combo();
    if (chosen) change_rule(tree, entry, *chosen);
    return chosen.has_value();
}

/// Slider for the value of a criterion; `shown` is displayed while the value is 0, because another criterion is in
/// force.
bool value_slider(Widgets& ui, EngineConfig& config, std::string_view id, double shown, double standard) {
    const EngineSetting& value = setting(engine_settings(), id);
    const double now = to_number(value.member.get(config));
    const auto edited = edit_setting(ui, value.info, now > 0 ? now : shown, standard);
    if (edited) value.member.set(config, *edited);
    return edited.has_value();
}

bool theta_slider(Widgets& ui, EngineConfig& config) {
    return value_slider(ui, config, "theta", kThetaOfLocks, kFirstTheta);
}

bool rule_slider(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    switch (rule_of(config.tree, entry)) {
        case Rule::kNone:
            return false;
        case Rule::kTheta:
            return theta_slider(ui, config);
        case Rule::kAlpha:
            return value_slider(ui, config, "alpha", kDefaultAlpha, kDefaultAlpha);
        case Rule::kAccuracy:
            break;
    }
    return value_slider(ui, config, "accuracy", kFirstAccuracy, kFirstAccuracy);
}

}  // namespace

bool tree_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    ImGui::Spacing();
    if (entry.opens_by_theta_alone()) return theta_slider(ui, config);
    bool edited = rule_combo(ui, config.tree, entry);
    if (rule_of(config.tree, entry) == Rule::kNone) return edited;
    edited |= rule_slider(ui, config, entry);
    for (const EngineSetting& each : engine_settings())
        if (each.info.group == &kTreeGroup && each.info.instead_of.empty() && reads(entry, each.info))
            edited |= setting_control(ui, each, config);
    return edited;
}

}  // namespace orrery
