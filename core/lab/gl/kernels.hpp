// SPDX-License-Identifier: MIT
// The laboratory's kernels of pairs and exact ranges on OpenGL. They throw Error{kEnvironment} if no OpenGL device can
// compute, or if its memory or a limit does not suffice. A separate header, so that nvcc does not compile it.
#pragma once
#include <cstdint>
#include <memory>

#include "core/lab/kernel.hpp"
#include "core/maps/any_map.hpp"

namespace orrery {

std::unique_ptr<LabKernel> gl_dummy(LabSize size);
std::unique_ptr<LabKernel> gl_edm(LabSize size);
std::unique_ptr<LabKernel> gl_collision(LabSize size);
std::unique_ptr<LabKernel> gl_collision_pairs(LabSize size);
std::unique_ptr<LabKernel> gl_collision_rows(LabSize size);

/// As first_wrong_row() and first_wrong_utm(), with `limit` up to kNarrowRows.
std::uint32_t first_wrong_row_on_gl(AnyMap map, std::uint32_t limit);
std::uint32_t first_wrong_utm_on_gl(RootId root, std::uint32_t limit);

}  // namespace orrery
