// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>
#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <string>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"

namespace orrery {

/// Working memory of an engine: grows on demand, uninitialised, aligned for vectors. Throws, with the size needed, if
/// the machine has not enough memory.
template <class T>
class Buffer {
public:
    /// `what` names the owner in that message: "engine half".
    T* reserve(std::size_t size, const char* what) {
        if (size <= size_) return memory_.get();
        memory_.reset(), size_ = 0;
        require_memory(what, size * sizeof(T));
        memory_ = hwy::AllocateAligned<T>(size);
        if (!memory_) environment_error(fmt::format("{}: no memory for {} bytes", what, size * sizeof(T)));
        size_ = size;
        return memory_.get();
    }
    T* data() const { return memory_.get(); }

private:
    hwy::AlignedFreeUniquePtr<T[]> memory_;
    std::size_t size_ = 0;
};

}  // namespace orrery
