// SPDX-License-Identifier: MIT
#pragma once
#include <span>

namespace orrery {

struct Bodies;
class Ranks;

// Collective checks. Each rank reads its files itself, and on a cluster files of the same name may differ.

/// Throws Error{kUsage} on all ranks if one has other bodies than rank 0.
void require_same_bodies(Ranks& ranks, const Bodies& bodies);
/// Same for other numbers from a file: dt, softening and so on.
void require_same_numbers(Ranks& ranks, std::span<const double> numbers);

}  // namespace orrery
