// SPDX-License-Identifier: MIT
#include "core/base/details.hpp"

#include <atomic>

namespace orrery {
namespace {

std::atomic<bool> shown_details = false;

}  // namespace

void show_details(bool shown) noexcept { shown_details = shown; }

bool details_are_shown() noexcept { return shown_details; }

}  // namespace orrery
