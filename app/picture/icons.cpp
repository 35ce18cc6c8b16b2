// SPDX-License-Identifier: MIT
#include "app/picture/icons.hpp"

#include <array>

namespace orrery {
namespace {

constexpr std::array kIcons{Icon::kAttract, Icon::kBackward, Icon::kBody,      Icon::kClose,   Icon::kCluster,
                            Icon::kDelete,  Icon::kDisc,     Icon::kDuplicate, Icon::kEnlarge, Icon::kFiles,
                            Icon::kFollow,  Icon::kForward,  Icon::kNext,      Icon::kPause,   Icon::kPicture,
                            Icon::kPin,     Icon::kPlay,     Icon::kPrevious,  Icon::kRecord,  Icon::kRedo,
                            Icon::kRepel,   Icon::kRestart,  Icon::kRing,      Icon::kStir,    Icon::kStop,
                            Icon::kTearOff, Icon::kUndo,     Icon::kUnpin,     Icon::kWatch};

}  // namespace

std::span<const Icon> icons() { return kIcons; }

std::string icon_text(Icon icon) {
    if (icon == Icon::kNone) return {};
    const auto code = static_cast<unsigned>(icon);
    return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
            static_cast<char>(0x80 | (code & 0x3f))};
}

}  // namespace orrery
