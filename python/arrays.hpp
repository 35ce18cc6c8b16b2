// SPDX-License-Identifier: MIT
// Numbers from Python and back: input arrays of any layout, output views without a copy.
#pragma once
#include <pybind11/numpy.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/vec.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// Rows of three real numbers, from anything that NumPy converts to an array of shape (N, 3), in any layout. Throws
/// TypeError for numbers that are not real, UsageError for another shape or an N other than `count`; `what` names the
/// argument.
std::vector<Vec3d> rows_of(const py::handle& given, const char* what, std::optional<std::size_t> count = {});
/// The same for shape (N,).
std::vector<double> numbers_of(const py::handle& given, const char* what, std::size_t count);
/// Whole numbers from 0 to 2⁶⁴ − 1.
std::vector<std::uint64_t> ids_of(const py::handle& given, const char* what, std::size_t count);

/// The numbers of a row of four that a view contains.
enum class Part { kXyz, kW };

/// A view of `count` rows of four numbers in memory owned by `owner`: of shape (N, 3) or (N,).
py::array view_of(const void* rows, std::size_t count, Precision precision, Part part,
                  std::shared_ptr<const void> owner, bool writeable);
py::array view_of(const Vec3d* rows, std::size_t count, std::shared_ptr<const void> owner);

}  // namespace orrery::python
