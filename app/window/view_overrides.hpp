// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string_view>

#include "app/render/view_settings.hpp"

namespace orrery {

/// What a person has chosen of the picture, apart from what scenes bring.
class OwnView {
public:
    /// As it was remembered from another day: what is not the default has been chosen.
    void adopt(const ViewSettings& remembered);
    /// What differs between the two has been chosen.
    void choose(const ViewSettings& before, const ViewSettings& after);
    /// A scene's view with all in it that has been chosen.
    ViewSettings over(const ViewSettings& look) const;
    const ViewSettings& settings() const { return own_; }  ///< by default what has not been chosen

private:
    ViewSettings own_;
    std::set<std::string_view> chosen_;  // ids
};

}  // namespace orrery
