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
#include "core/settings/setting.hpp"

namespace orrery {

struct UiRequests;
struct UserSettings;

/// A feature of the window. It owns a part of UiState, carries out the requests about it, and keeps its settings
/// between sessions. The window iterates over WindowParts::features(), so that a new feature changes no other one.
class Feature {
public:
    Feature() = default;
    Feature(const Feature&) = delete;
    Feature& operator=(const Feature&) = delete;
    virtual ~Feature() = default;

    virtual void recall(const UserSettings&) {}    ///< once, at the start
    virtual void update() {}                       ///< before a frame is drawn: updates its part of UiState
    virtual void apply(const UiRequests&) {}       ///< after a frame is drawn
    virtual void end_frame() {}                    ///< after all requests and commands of a frame
    virtual void remember(UserSettings&) const {}  ///< once, at the end
    /// True if a frame is needed although nothing moves. The idle window calls it several times a second.
    virtual bool has_news() const { return false; }
};

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
/// Remembered settings of all features.
std::vector<const Setting<UiState>*> remembered_settings();

}  // namespace orrery
