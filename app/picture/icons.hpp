// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

namespace orrery {

/// Icons of Font Awesome 4.7, part of every font that add_text_font() makes. The values are its characters, in the
/// private use area of Unicode, so they cannot occur in names.
enum class Icon : char16_t {
    kNone = 0,
    kAttract = 0xf066,
    kBackward = 0xf04a,
    kBody = 0xf10c,
    kClose = 0xf00d,
    kCluster = 0xf069,
    kDelete = 0xf1f8,
    kDisc = 0xf192,
    kDuplicate = 0xf24d,
    kEnlarge = 0xf065,
    kFiles = 0xf07c,
    kFollow = 0xf05b,
    kForward = 0xf04e,
    kNext = 0xf051,
    kPause = 0xf04c,
    kPicture = 0xf030,
    kPin = 0xf08d,
    kPlay = 0xf04b,
    kPrevious = 0xf048,
    kRecord = 0xf111,
    kRedo = 0xf01e,
    kRepel = 0xf0b2,
    kRestart = 0xf049,
    kRing = 0xf1ce,
    kStir = 0xf021,
    kStop = 0xf04d,
    kTearOff = 0xf08e,
    kUndo = 0xf0e2,
    kUnpin = 0xf09c,
    kWatch = 0xf06e,
};

std::span<const Icon> icons();     ///< all of them, without kNone
std::string icon_text(Icon icon);  ///< in UTF-8; empty for kNone

}  // namespace orrery
