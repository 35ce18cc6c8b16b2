// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string_view>

#include "app/render/view_settings.hpp"

namespace orrery {

/// View settings chosen by the user, which replace those of a scene.
class ViewOverrides {
public:
    /// Restores remembered settings: those that differ from the defaults count as chosen.
    void adopt(const ViewSettings& remembered);
    /// Records the settings that differ between the two as chosen.
    void choose(const ViewSettings& before, const ViewSettings& after);
    /// A scene's view settings with all of the user's choices.
    ViewSettings over(const ViewSettings& look) const;
    const ViewSettings& settings() const { return own_; }  ///< defaults where nothing was chosen

private:
    ViewSettings own_;
    std::set<std::string_view> chosen_;  // ids
};

}  // namespace orrery
