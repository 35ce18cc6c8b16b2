// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "app/ui/widgets.hpp"
#include "core/settings/setting_member.hpp"

namespace orrery {

/// What a person made of a setting, by the control that suits its kind: toggle, slider, combo. `offers` are the whole
/// numbers of a combo; where it is empty, whole numbers get a slider. `standard` is what right click returns to.
std::optional<SettingValue> edit_setting(Widgets& ui, const SettingInfo& info, const SettingValue& value,
                                         const SettingValue& standard, const std::vector<OfferedNumber>& offers = {},
                                         std::string_view why_not = {});

/// The control of this setting of `config`, where it applies; whether it was edited.
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

}  // namespace orrery
