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

/// One picture.
struct PictureRequest {
    Frame frame;
    Look look;
    PictureSize size;
    bool legend = false;
};

/// Draws pictures on a thread of its own, which owns the one OpenGL context: whoever asks may be on any thread.
class Painter {
public:
    Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;
    ~Painter();

    /// Waits for it. Throws Error{kEnvironment} where there is no OpenGL 4.5, or it cannot draw so large a picture.
    SharedImage draw(PictureRequest request);

private:
    struct Tools;
    void work();

    std::mutex mutex_;
    std::condition_variable asked_;
    std::packaged_task<SharedImage(Tools&)> next_;
    bool ends_ = false;
    std::mutex one_at_a_time_;
    std::thread thread_;  // the last one: it uses all others
};

}  // namespace orrery::python
