// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/style.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/commands.hpp"
#include "app/window/feature.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// An overlay is drawn over those of earlier layers.
enum class Layer : std::uint8_t {
    kBodies,  ///< marks of bodies
    kTransport,
    kDrawing,  ///< covers the picture while its page is open
    kComparison,
    kTitle,
    kFigures,
    kPages,
    kIndicators,
    kGallery,
    kTour,
    kPalette,
    kCards,  ///< offers
    kQuestion,
};

/// The user interface of one frame, and the areas that overlays of earlier layers have taken.
struct DrawnFrame {
    Widgets& ui;
    WidgetMap& widgets;
    const UiState& state;
    UiRequests& requests;
    bool map = false;                     ///< a thread map is drawn
    std::optional<Rectangle> lab, title;  ///< results of the laboratory; title of the scene
    LargePlot large{};
};

struct Overlay {
    Layer layer;
    void (*draw)(WindowParts& window, DrawnFrame& frame);
    bool (*covers)(const UiState& state) = nullptr;  ///< true if it covers earlier layers, which then show no tips
};

/// Entry of a feature in the menu. A feature is a folder, which defines its entry, and a line in features.cpp.
struct FeatureEntry {
    std::span<const PanelEntry> panels{};  ///< its pages of the sidebar
    std::span<const WindowCommand> commands{};
    std::span<const Overlay> overlays{};
    void (*describe)(nlohmann::json& map, const UiState& state) = nullptr;  ///< adds its keys to the UI map
    std::span<const Setting<UiState>> (*remembered)() = nullptr;  ///< settings that the window keeps between sessions
    std::unique_ptr<Feature> (*make)(WindowParts& window) = nullptr;  ///< if no other part calls it
};

/// In the order of their pages.
std::span<const FeatureEntry> features();
std::span<const Overlay> overlays();  ///< of all features, by layer
/// Those of all features.
std::vector<const Setting<UiState>*> remembered_settings();

}  // namespace orrery
