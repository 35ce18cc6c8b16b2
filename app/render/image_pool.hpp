// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/render/image.hpp"
#include "app/render/interop.hpp"

namespace orrery {

/// Pictures whose memory is used again: that of one goes back with its last owner, on whatever thread. Asked for on one
/// thread.
class ImagePool {
public:
    enum class Memory {
        kPlain,
        kPinned,  ///< a CUDA device copies into it at full speed and without waiting
    };
    explicit ImagePool(Memory memory);

    /// width × height pixels, contents undefined. Throws Error{kEnvironment} when memory cannot be pinned.
    std::shared_ptr<Image> get(int width, int height);

private:
    struct Spare;
    std::shared_ptr<Spare> spare_;  // outlives the pool, with the pictures that others still hold
    Memory memory_;
};

}  // namespace orrery
