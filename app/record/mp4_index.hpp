// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <functional>

#include "app/record/libav.hpp"

namespace orrery {

/// Copies a fragmented MP4 to one with its duration in the header and its index in front, so that editors know its
/// length and players need not seek. `rate`: frames per second. `describe` adds side data to the stream. Returns
/// libav's status; if negative, `to` may contain a part.
int write_indexed_mp4(const std::filesystem::path& from, const std::filesystem::path& to, AVRational rate,
                      const std::function<void(AVStream&)>& describe);

}  // namespace orrery
