// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/render/image.hpp"
#include "app/render/interop.hpp"

namespace orrery {

/// Pictures with reused memory: it returns with the last owner, on any thread. Allocation is on one thread.
class ImagePool {
public:
    enum class Memory {
        kPlain,
        kPinned,  ///< pinned: a CUDA device copies into it at full speed and asynchronously
    };
    explicit ImagePool(Memory memory);

    /// width × height pixels, contents undefined. Throws Error{kEnvironment} when memory cannot be pinned.
    std::shared_ptr<Image> get(int width, int height);

private:
    struct Spare;
    std::shared_ptr<Spare> spare_;  // outlives the pool, with pictures that are still in use
    Memory memory_;
};

}  // namespace orrery
