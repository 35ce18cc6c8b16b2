// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "app/ui/widgets.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// The user's edit of a setting, with the control that suits its kind: toggle, slider, combo. `offers` are the whole
/// numbers of a combo; if it is empty, whole numbers get a slider. A right click restores `standard`.
std::optional<SettingValue> edit_setting(Widgets& ui, const SettingInfo& info, const SettingValue& value,
                                         const SettingValue& standard, const std::vector<OfferedNumber>& offers = {},
                                         std::string_view why_not = {});

/// A typed number, with the label and the tooltip of a setting.
inline std::optional<double> typed_setting(Widgets& ui, const SettingInfo& info, double value) {
    return ui.typed_real(info.label, value, tip_of(info));
}

/// The control of this setting of `config`, which shows `value` and restores `standard`. Returns whether it was edited.
template <class Config>
bool setting_control(Widgets& ui, const Setting<Config>& setting, Config& config, const SettingValue& value,
                     const SettingValue& standard) {
    const auto edited = edit_setting(ui, setting.info, value, standard);
    if (edited) setting.member.set(config, *edited);
    return edited.has_value();
}

/// The control of this setting of `config`, if it applies. Returns whether it was edited.
template <class Config>
bool setting_control(Widgets& ui, const Setting<Config>& setting, Config& config) {
    static const Config standard;
    const bool applies = setting.applies_to(config);
    if (!applies && setting.info.otherwise.empty()) return false;
    const std::string_view why_not = applies ? std::string_view{} : setting.info.otherwise;
    const auto edited = edit_setting(ui, setting.info, setting.member.get(config), setting.member.get(standard),
                                     setting.offers ? setting.offers(config) : std::vector<OfferedNumber>{}, why_not);
    if (edited) setting.member.set(config, *edited);
    return edited.has_value();
}

/// The controls of a table in a panel that places some of them by id; the rest follow in the table's order, so that a
/// new setting appears without a change here.
template <class Config>
class SettingControls {
public:
    SettingControls(Widgets& ui, std::span<const Setting<Config>> table, Config& config)
        : ui_{ui}, table_{table}, config_{config} {}

    void operator()(std::string_view id) {
        placed_.push_back(id);
        edited_ |= setting_control(ui_, setting(table_, id), config_);
    }
    void rest() {
        for (const Setting<Config>& each : table_)
            if (each.info.in(place::kPanel) && std::ranges::find(placed_, each.info.id) == placed_.end())
                edited_ |= setting_control(ui_, each, config_);
    }
    bool edited() const { return edited_; }

private:
    Widgets& ui_;
    std::span<const Setting<Config>> table_;
    Config& config_;
    std::vector<std::string_view> placed_;
    bool edited_ = false;
};

}  // namespace orrery
