// SPDX-License-Identifier: MIT
#pragma once
#include <span>

namespace orrery {

struct Bodies;
class Ranks;

// Collective. Each rank reads its files itself, and on the disks of a cluster a file of one name may differ.

/// Throws Error{kUsage} on all ranks where one of them has other bodies than rank 0.
void require_same_bodies(Ranks& ranks, const Bodies& bodies);
/// The same of other numbers that a file states: dt, softening and such.
void require_same_numbers(Ranks& ranks, std::span<const double> numbers);

}  // namespace orrery
