// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/window/scenes/scene_control.hpp"
#include "core/base/files.hpp"

namespace orrery {

/// Saves the bodies in case the window ends unexpectedly: every few minutes, if they have moved, a checkpoint beside
/// the settings, one file per process. The next window offers all files that it finds.
class Autosave final : public Feature {
public:
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;  ///< larger systems are not saved

    /// `folder`: for the files; empty: nothing is saved. `offers`: whether to offer files left by other windows.
    Autosave(WindowCore& core, SceneControl& scenes, std::filesystem::path folder, bool offers);
    void recall(const UserSettings& settings) override { core_.state.autosave.minutes = settings.autosave; }
    void apply(const UiRequests& requests) override;
    void end_frame() override;
    void remember(UserSettings& settings) const override { settings.autosave = core_.state.autosave.minutes; }
    /// The bodies of the window that was closed last, as they were then; nothing if none are saved.
    std::optional<GalleryFile> last_run() const;
    void forget();  ///< for a regular close: keeps the bodies only as the last run

private:
    struct Moment {
        std::uint64_t scene = 0, moment = 0;
        std::optional<double> edited;
        friend bool operator==(const Moment&, const Moment&) = default;
    };
    /// A file left by another window.
    struct Left {
        std::filesystem::path path;
        std::filesystem::file_time_type time;
        std::string problem;  // why it cannot be opened; empty if it can
        Descriptor lock;
    };
    std::string answer(const AutosaveAnswer& answer);
    Moment now() const;
    std::filesystem::path free_file() const;
    void find_left();
    bool moves() const;
    bool may_save() const;
    void finish(SaveState wish, int most_naps);

    WindowCore& core_;
    SceneControl& scenes_;
    std::filesystem::path folder_, own_, last_, gone_on_;
    std::vector<Left> left_;
    std::optional<Descriptor> lock_;
    double next_ = 0, minutes_ = 0;  // time of the next one, in seconds of the clock; current interval
    Moment saved_, begun_;
    bool asked_ = false;  // requested at least once: there may be a file
};

}  // namespace orrery
