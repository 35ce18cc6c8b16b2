// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace orrery
