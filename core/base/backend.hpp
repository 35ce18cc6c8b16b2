// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

enum class Backend { kCpu, kCuda, kGl };       ///< kGl: a GPU through OpenGL compute shaders
std::span<const Backend> backends();           ///< in the order of menus
std::string_view name(Backend backend);        ///< "cpu", "cuda", "gl"
Backend parse_backend(std::string_view text);  ///< throws Error{kUsage} with the choices

/// kMixed: state in double, differences of positions as exact as their float result can hold, arithmetic in float.
enum class Precision { kSingle, kMixed, kDouble };
std::span<const Precision> precisions();           ///< in order of cost
std::string_view name(Precision precision);        ///< "single", "mixed", "double"
std::string_view doc(Precision precision);         ///< one sentence for users
Precision parse_precision(std::string_view text);  ///< throws Error{kUsage} with the choices
/// Precision in which positions, velocities and accelerations are stored.
constexpr Precision of_state(Precision precision) {
    return precision == Precision::kSingle ? Precision::kSingle : Precision::kDouble;
}

}  // namespace orrery
