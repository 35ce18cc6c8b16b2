// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/record/picture_maker.hpp"
#include "python/scene.hpp"

namespace orrery::python {

/// A frame to draw.
struct PictureRequest {
    Frame frame;
    Look look;
    PictureSize size;
    bool legend = false;
};

/// Draws frames on a separate thread, which owns the only OpenGL context. draw() may be called by any thread.
class Painter {
public:
    Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;
    ~Painter();

    /// Waits for the frame. Throws Error{kEnvironment} without OpenGL 4.5, or if it cannot draw frames of this size.
    SharedImage draw(PictureRequest request);

private:
    struct Tools;
    void work();

    std::mutex mutex_;
    std::condition_variable asked_;
    std::packaged_task<SharedImage(Tools&)> next_;
    bool ends_ = false;
    std::mutex one_at_a_time_;
    std::thread thread_;  // last: it uses all members
};

}  // namespace orrery::python
