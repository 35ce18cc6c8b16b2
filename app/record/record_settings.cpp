// SPDX-License-Identifier: MIT
#include "app/record/record_settings.hpp"

namespace orrery {
namespace {

using R = RecordSettings;

// `record` has its own options for settings that mean something else without a window.
constexpr unsigned kOwnControl = place::kDefault & ~place::kPanel;
constexpr unsigned kFileAndPanel = place::kSceneFile | place::kPanel;

std::vector<RecordSetting> table() {
    SettingTable<R> add{"record"};
    add({.id = "path",
         .label = "Path",
         .doc = "output file of the window, relative to its working directory; default: a name with date and time",
         .kind = TextKind{},
         .places = place::kSceneFile},
        member<&R::path>());
    add({.id = "width",
         .label = "Width",
         .doc = "width of a frame; 0: that of the window, or 1280 without one",
         .kind = WholeKind{0, 16384},
         .unit = "pixels",
         .places = kOwnControl},
        member<&R::width>());
    add({.id = "height",
         .label = "Height",
         .doc = "height of a frame; 0: that of the window, or 720 without one",
         .kind = WholeKind{0, 16384},
         .unit = "pixels",
         .places = kOwnControl},
        member<&R::height>());
    add({.id = "fps",
         .label = "Frame rate",
         .doc = "frames per second of the video",
         .kind = WholeKind{.low = 1, .high = 1000, .slider = {10, 120}}},
        member<&R::fps>());
    add({.id = "steps_per_frame",
         .label = "Steps / frame",
         .doc = "steps of dt between two frames, however slow the engine; 0: as the scene recommends",
         .kind = WholeKind{.low = 0, .high = 1'000'000, .slider = {1, 100}},
         .places = kOwnControl},
        member<&R::steps_per_frame>());
    add({.id = "quality",
         .label = "Quality",
         .doc = "quality of videos; 80 is hard to distinguish from the original",
         .kind = WholeKind{1, 100}},
        member<&R::quality>());
    add({.id = "supersampling",
         .label = "Supersampling",
         .doc = "frames are rendered at this multiple of width and height, and averaged: smoother, slower",
         .kind = WholeKind{1, 3}},
        member<&R::supersampling>());
    add({.id = "lens", .label = "Lens", .doc = "how space is mapped to the frame", .kind = choices_of(lenses())},
        member<&R::lens>(lenses(), &LensEntry::lens));
    add({.id = "bits",
         .label = "Bits",
         .doc =
             "bits of a colour channel: 16 in PNG pictures and sequences, 10 in MP4 and WebM with a high dynamic range "
             "(HDR10)",
         .kind = SizesKind{{{8}, {10}, {16}}},
         .places = kOwnControl},
        member<&R::bits>());
    add({.id = "ui",
         .label = "Include panels",
         .doc = "records the window as shown on the screen, with its panels",
         .kind = FlagKind{},
         .places = kFileAndPanel},
        member<&R::ui>());
    add({.id = "legend",
         .label = "Legend",
         .doc = "draws the colour bar, scale bar, clock and names into the frames, those that are on in the View tab",
         .kind = FlagKind{}},
        member<&R::legend>());
    add({.id = "session",
         .label = "Session",
         .doc =
             "the window starts the scene again and writes a session file beside the video, from which `orrery record "
             "--session` repeats every frame",
         .kind = FlagKind{},
         .places = kFileAndPanel},
        member<&R::session>());
    add({.id = "duration",
         .label = "Seconds",
         .doc = "length of the video; 0: until it is stopped, or 5 without a window",
         .kind = RealKind{0, 1e6, {0, 120, "%.0f s"}},
         .unit = "seconds",
         .places = place::kSceneFile},
        member<&R::duration>());
    return std::move(add).all();
}

}  // namespace

std::span<const RecordSetting> record_settings() {
    static const std::vector<RecordSetting> all = table();
    return all;
}

}  // namespace orrery
