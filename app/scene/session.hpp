// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "app/scene/scene_value.hpp"
#include "core/live/actions.hpp"
#include "core/simulation/edit.hpp"

namespace orrery {

/// The user's input at a frame of a recording: pose, view and comparison view apply to that frame, the actions take
/// effect after it, before the next step.
struct SessionEvent {
    std::uint64_t picture = 0;  ///< number of the frame, from 0
    std::int64_t step = 0;      ///< of the frame
    std::optional<CameraPose> pose;
    std::optional<ViewSettings> view;
    std::optional<CompareView> seen;      ///< comparison view in this frame, without its plots
    std::vector<ComputedAction> actions;  ///< in this order; a file has each kind at most once
    bool end = false;                     ///< no such frame exists: `picture` is the number of frames
    friend bool operator==(const SessionEvent&, const SessionEvent&) = default;
};

/// A repeatable recording: the scene at its beginning, and the actions during it.
struct Session {
    SceneFile start;                   ///< with all record settings given
    std::vector<SessionEvent> events;  ///< in ascending order of frames

    /// Number of frames; for an interrupted session, as far as known.
    std::uint64_t pictures() const;
};

/// Throws Error{kUsage} in one line with file, line and column, like read_scene_file().
Session read_session(const std::filesystem::path& path);

/// Writes a session while it is recorded: each event is written at once, so that an interrupted session can be repeated
/// up to that point. Throws Error{kEnvironment} naming the path.
class SessionWriter {
public:
    SessionWriter(const std::filesystem::path& path, const SceneFile& start);
    void add(const SessionEvent& event);
    const std::filesystem::path& path() const { return path_; }

private:
    void write(const std::string& text);
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Close> file_;
};

/// An edit as an inline TOML table: { do = "throw", bodies = [3], by = [0.0, 0.1, 0.0] }, with the members its kind
/// uses.
std::string edit_text(const Edit& edit);
/// Throws Error{kUsage} with the position.
Edit read_edit(const SceneValue& value);

}  // namespace orrery
