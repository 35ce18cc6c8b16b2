// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/window/window_core.hpp"
#include "core/base/output_file.hpp"

namespace orrery {

/// Keeps the bodies of a window that ends unexpectedly: every some minutes, if they have moved, a checkpoint beside the
/// settings, one per process. The next window offers all that it finds.
class Autosave {
public:
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;  ///< of more bodies nothing is kept

    /// `folder`: where the files lie; empty: nothing is kept. `offers`: what another window has left is offered.
    Autosave(WindowCore& core, std::filesystem::path folder, bool offers);
    void update();  ///< once per frame
    /// Of one that is offered. Returns what is to be opened; empty: nothing.
    std::string answer(const KeptAnswer& answer);
    /// The bodies of the window that was closed last, as they were then; nothing: none are kept.
    std::optional<GalleryFile> last_run() const;
    void forget();  ///< the window closes as it should: its bodies are kept as the last run alone

private:
    struct Moment {
        std::uint64_t scene = 0, moment = 0;
        std::optional<double> edited;
        friend bool operator==(const Moment&, const Moment&) = default;
    };
    /// By another window.
    struct Left {
        std::filesystem::path path;
        std::filesystem::file_time_type time;
        std::string problem;  // why it cannot be opened; empty: it can
        Descriptor lock;
    };
    Moment now() const;
    std::filesystem::path free_file() const;
    void find_left();
    bool moves() const;
    bool may_save() const;
    void finish(SaveState wish, int most_naps);

    WindowCore& core_;
    std::filesystem::path folder_, own_, last_, gone_on_;
    std::vector<Left> left_;
    std::optional<Descriptor> lock_;
    double next_ = 0, minutes_ = 0;  // seconds of the clock; between two, as it was set
    Moment saved_, begun_;
    bool asked_ = false;  // once at least: there may be a file
};

}  // namespace orrery
