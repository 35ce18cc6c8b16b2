// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/gl/sharing.hpp"

namespace orrery::gl {

/// The source of the only Drawer; null if there is none or several, or it has no source.
std::shared_ptr<ContextSource> offered_source();

}  // namespace orrery::gl
