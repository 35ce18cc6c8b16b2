// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "app/window/overlays.hpp"
#include "core/base/error.hpp"

namespace orrery {

/// Messages that disappear after some seconds.
class Toasts {
public:
    enum class Kind { kNotice, kFailure };
    enum class FileUse { kShow, kPlay };  ///< the buttons of a message with a file
    /// A notice replaces the previous one on the same topic, by default its text up to a colon. With a file, it has a
    /// button that shows the file's folder, and for a video one that plays it.
    void say(Kind kind, std::string text, std::string_view topic = {}, std::string file = {},
             FileUse use = FileUse::kShow);
    /// Stacks the messages below `top`, as many as fit, beside whatever is at the lower edge. While the map or the
    /// laboratory covers the picture, draws a single message in the strip that they leave free.
    void draw(Widgets& ui, const UiState& state, float top, UiRequests& requests);
    bool empty() const { return toasts_.empty(); }

private:
    struct Toast {
        Kind kind;
        std::string text, topic, file;
        FileUse use;
        double until;  // by ImGui's clock, in seconds
    };
    void draw_in_strip(Widgets& ui, const UiState& state, UiRequests& requests) const;
    std::vector<Toast> toasts_;
};

/// Messages to the user.
class Messages {
public:
    void notice(const std::string& text, std::string_view topic = {});  ///< see Toasts::say
    /// "What: path" of a new file, with a button for its folder, and for a video one that plays it.
    void file(const std::string& what, const std::string& path, Toasts::FileUse use = Toasts::FileUse::kShow);
    void failure(const std::string& text);  ///< on stderr as well
    /// Runs `work`; an Error that it throws becomes a failure message. Returns whether it succeeded.
    template <class Work>
    bool attempt(Work&& work) {
        try {
            std::forward<Work>(work)();
            return true;
        } catch (const Error& error) {
            failure(error.what());
            return false;
        }
    }
    /// For a user at another machine: converts failures and notices, and shows only the names of files.
    void read_elsewhere(std::function<std::string(std::string)> readable) { readable_ = std::move(readable); }
    const std::string& last() const { return last_; }
    void draw(Widgets& ui, const UiState& state, float top, UiRequests& requests) {
        toasts_.draw(ui, state, top, requests);
    }
    bool shown() const { return !toasts_.empty(); }

private:
    std::string as_read(std::string text) const { return readable_ ? readable_(std::move(text)) : text; }

    std::function<std::string(std::string)> readable_;
    Toasts toasts_;
    std::string last_;
};

}  // namespace orrery
