// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace orrery::gl::shaders {

/// Text of a shader of core/gl/shaders, by its name; empty if there is none. Generated: cmake/embed.cmake.
std::string_view file(std::string_view name);

}  // namespace orrery::gl::shaders
