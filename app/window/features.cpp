// SPDX-License-Identifier: MIT
#include "app/window/features.hpp"

#include <algorithm>
#include <vector>

// The features of the window, in the order of their pages.
#define ORRERY_FEATURES(FEATURE) \
    FEATURE(transport)           \
    FEATURE(scenes)              \
    FEATURE(hand)                \
    FEATURE(selection)           \
    FEATURE(encounters)          \
    FEATURE(view)                \
    FEATURE(opening)             \
    FEATURE(camera)              \
    FEATURE(recording)           \
    FEATURE(plots)               \
    FEATURE(halos)               \
    FEATURE(comparison)          \
    FEATURE(engine)              \
    FEATURE(maps)                \
    FEATURE(kernel)              \
    FEATURE(learn)               \
    FEATURE(lab)                 \
    FEATURE(palette)             \
    FEATURE(layout)              \
    FEATURE(gallery)             \
    FEATURE(tour)                \
    FEATURE(attract)             \
    FEATURE(leave)               \
    FEATURE(autosave)

namespace orrery {

#define ORRERY_DECLARE(name) FeatureEntry name##_feature();
ORRERY_FEATURES(ORRERY_DECLARE)

std::span<const FeatureEntry> features() {
#define ORRERY_ENTRY(name) name##_feature(),
    static const std::vector<FeatureEntry> all{ORRERY_FEATURES(ORRERY_ENTRY)};
    return all;
}

std::span<const Overlay> overlays() {
    static const std::vector<Overlay> all = [] {
        std::vector<Overlay> drawn;
        for (const FeatureEntry& feature : features())
            drawn.insert(drawn.end(), feature.overlays.begin(), feature.overlays.end());
        std::ranges::stable_sort(drawn, {}, &Overlay::layer);
        return drawn;
    }();
    return all;
}

std::vector<const Setting<UiState>*> remembered_settings() {
    std::vector<const Setting<UiState>*> all;
    for (const FeatureEntry& feature : features())
        if (feature.remembered)
            for (const Setting<UiState>& each : feature.remembered()) all.push_back(&each);
    return all;
}

std::span<const PanelEntry> panels() {
    static const std::vector<PanelEntry> all = [] {
        std::vector<PanelEntry> pages;
        for (const FeatureEntry& feature : features())
            pages.insert(pages.end(), feature.panels.begin(), feature.panels.end());
        return pages;
    }();
    return all;
}

}  // namespace orrery
