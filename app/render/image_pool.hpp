// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/render/image.hpp"
#include "app/render/interop.hpp"

namespace orrery {

/// Images with reused memory, which returns to the pool when the last owner releases it, on any thread. get() must be
/// called by one thread.
class ImagePool {
public:
    enum class Memory {
        kPlain,
        kPinned,  ///< a CUDA device copies into it at full speed and asynchronously
    };
    explicit ImagePool(Memory memory);

    /// width × height pixels, contents undefined. Throws Error{kEnvironment} if memory cannot be pinned.
    std::shared_ptr<Image> get(int width, int height);

private:
    struct Spare;
    std::shared_ptr<Spare> spare_;  // outlives the pool while images are in use
    Memory memory_;
};

}  // namespace orrery
