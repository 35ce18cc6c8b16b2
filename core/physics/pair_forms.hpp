// SPDX-License-Identifier: MIT
// Compile-time variants of the loops over pairs, on every backend.
#pragma once

namespace orrery {

enum class Softened { kNo, kYes };  ///< kNo: two bodies may be at distance 0 and must then be skipped
enum class Split { kNo, kYes };     ///< kYes: a position is the sum of two numbers; see core/engines/mixed.hpp

}  // namespace orrery
