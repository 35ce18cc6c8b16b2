// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/window/window_core.hpp"
#include "core/base/output_file.hpp"

namespace orrery {

/// Keeps the bodies of a window that ends unexpectedly: every some minutes, if they have moved, a checkpoint beside the
/// settings, one per process. The next window offers it.
class Autosave {
public:
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;  ///< of more bodies nothing is kept

    /// `folder`: where the files lie; empty: nothing is kept. `offers`: what another window has left is offered.
    Autosave(WindowCore& core, std::filesystem::path folder, bool offers);
    void update();  ///< once per frame
    /// Of what is offered. Returns what is to be opened; empty: nothing.
    std::string answer(KeptAnswer answer);
    void forget();  ///< the window closes as it should

private:
    struct Moment {
        std::uint64_t scene = 0, moment = 0;
        std::optional<double> edited;
        friend bool operator==(const Moment&, const Moment&) = default;
    };
    Moment now() const;
    std::filesystem::path free_file() const;
    void find_left();
    bool may_save();

    WindowCore& core_;
    std::filesystem::path folder_, own_, left_;  // left_: by another window
    std::optional<Descriptor> lock_, left_lock_;
    double next_ = 0;  // seconds of the clock
    Moment saved_, begun_;
    bool asked_ = false;  // once at least: there may be a file
};

}  // namespace orrery
