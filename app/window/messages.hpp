// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "app/ui/overlays.hpp"
#include "core/base/error.hpp"

namespace orrery {

/// What the window tells its user.
class Messages {
public:
    void notice(const std::string& text, std::string_view topic = {});  ///< see Toasts::say
    /// "What: path" of a file that was made.
    void file(const std::string& what, const std::string& path);
    void failure(const std::string& text);  ///< on stderr as well
    /// Does something; an Error that it throws becomes a failure. Returns whether it was done.
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
    /// For a person at another machine: failures and notices as this makes them, and of files their names alone.
    void read_elsewhere(std::function<std::string(std::string)> readable) { readable_ = std::move(readable); }
    const std::string& last() const { return last_; }
    void draw(Widgets& ui, const UiState& state, Wishes& wishes) { toasts_.draw(ui, state, wishes); }
    bool shown() const { return !toasts_.empty(); }

private:
    std::string as_read(std::string text) const { return readable_ ? readable_(std::move(text)) : text; }

    std::function<std::string(std::string)> readable_;
    Toasts toasts_;
    std::string last_;
};

}  // namespace orrery
