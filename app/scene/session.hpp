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

namespace orrery {

/// What a person did between two pictures of a recording. Pose, view and how a comparison is seen are those of the
/// picture; the rest acts after it, before the next step.
struct SessionEvent {
    std::uint64_t picture = 0;  ///< from 0
    std::int64_t step = 0;      ///< of the picture
    std::optional<CameraPose> pose;
    std::optional<ViewSettings> view;
    std::optional<CompareView> seen;  ///< how a comparison is seen in this picture, less its plots
    std::optional<EngineConfig> engine;
    std::optional<double> dt, softening;
    std::optional<std::string> integrator;
    std::optional<double> adaptive;
    std::optional<SceneRequest> scene;       ///< another one, or the same from its beginning
    std::optional<CompareSettings> compare;  ///< of B, which begins if there is none
    bool compare_restart = false;            ///< B takes A's state
    bool compare_end = false;
    std::optional<std::string> color_mode;  ///< what is computed beside the forces; a view names it when it is seen
    bool end = false;                       ///< there is no such picture: the recording has so many
    friend bool operator==(const SessionEvent&, const SessionEvent&) = default;
};

/// A recording that can be repeated: the scene at its beginning, and what was done in it.
struct Session {
    SceneFile start;                   ///< with all of its record settings given
    std::vector<SessionEvent> events;  ///< pictures ascend

    /// How many pictures there are; of a session that was cut off, as many as are known of.
    std::uint64_t pictures() const;
};

/// Throws Error{kUsage} in one line with file, line and column, like read_scene_file().
Session read_session(const std::filesystem::path& path);

/// Writes a session while it happens: each event is in the file at once, so that one that is cut off can be repeated
/// up to there. Throws Error{kEnvironment} naming the path.
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

}  // namespace orrery
