// SPDX-License-Identifier: MIT
#pragma once
#include <pybind11/numpy.h>

#include "app/render/image.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// A picture from NumPy: uint8 of shape (height, width, 3 or 4). Alpha is ignored. Throws TypeError for other numbers,
/// UsageError for another shape.
Image image_of(const py::array& given);

}  // namespace orrery::python
