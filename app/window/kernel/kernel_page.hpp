// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/kernels/exactness.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/maps/picture.hpp"
#include "core/simulation/kernel_verdict.hpp"

namespace orrery {

struct UiState;

/// Why a kernel does not run.
struct KernelFault {
    std::string text;  ///< one line; empty: none
    int line = 0;      ///< of the kernel file, from 1; 0: none in particular
};

/// A thread map of a kernel file: its exactness, and its picture for few rows.
struct MapReport {
    MapVerdict verdict;
    std::optional<RivalTimes> times;            ///< in `half` against bb; empty: not measured
    std::shared_ptr<const MapPicture> picture;  ///< at the first wrong number of rows if that can be drawn
};

/// Requests of the page in one frame.
struct KernelWish {
    std::string open;  ///< a path, or the name of an example; empty: none
    bool run = false, revert = false, save = false, save_as = false;
};

/// The page Kernel. In UiState::own.
struct KernelPage {
    std::string name;                ///< of the file or example
    std::string path;                ///< absolute, of the file; empty: an example, or a text without a file
    std::string typed_path;          ///< for opening and for saving under another name, as typed so far
    std::string text;                ///< in the editor
    std::string saved;               ///< content of the file or example
    std::optional<KernelFile> head;  ///< `text`, parsed; empty if its head has an error
    bool editor = true;              ///< the editor is shown while the page is open
    int caret = 0;                   ///< line of the caret, from 1; 0: the editor has no keyboard focus
    bool elsewhere = false;          ///< the user is at another machine, and writes no files on this one
    bool working = false;            ///< being compiled and tried
    bool judging = false;            ///< being compared and timed
    std::string tried;               ///< text of the last trial, to which `fault` and the verdicts belong
    KernelFault fault;
    bool fault_is_new = false;       ///< its line has not been scrolled into view yet
    std::string running;             ///< the last text that the bodies moved by
    std::optional<double> exchange;  ///< seconds from saving a text, or pressing Run, to the first step by it
    std::optional<ForceVerdict> force;
    std::optional<MapReport> map;
    KernelWish wish;

    bool modified() const { return text != saved; }
};

/// Opens a kernel file on the page Kernel and shows the page. False, without effect, if its name is not that of a
/// kernel file.
bool open_as_kernel(UiState& state, const std::filesystem::path& file);

/// Width in pixels that the editor covers beside the sidebar, with the gap; 0 while it is not shown.
float kernel_editor_width(const UiState& state, float scale);

}  // namespace orrery
