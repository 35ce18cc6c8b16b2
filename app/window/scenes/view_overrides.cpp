// SPDX-License-Identifier: MIT
#include "app/window/scenes/view_overrides.hpp"

#include "app/render/view_settings.hpp"

namespace orrery {
namespace {

constexpr std::string_view kRange = "scalar_range";  // not in the table of settings

void copy(ViewSettings& to, const ViewSettings& from, std::string_view id) {
    if (id == kRange) {
        to.scalar_range = from.scalar_range;
        return;
    }
    const auto& member = setting(view_settings(), id).member;
    member.set(to, member.get(from));
}

}  // namespace

void ViewOverrides::adopt(const ViewSettings& remembered) {
    own_ = {};
    chosen_.clear();
    choose(own_, remembered);
}

void ViewOverrides::choose(const ViewSettings& before, const ViewSettings& after) {
    const auto take = [&](std::string_view id) {
        chosen_.insert(id);
        copy(own_, after, id);
    };
    for (const ViewSetting& each : view_settings())
        if (each.member.get(before) != each.member.get(after)) take(each.info.id);
    if (before.scalar_range != after.scalar_range) take(kRange);
}

ViewSettings ViewOverrides::over(const ViewSettings& look) const {
    ViewSettings view = look;
    for (const std::string_view id : chosen_) copy(view, own_, id);
    return view;
}

}  // namespace orrery
