// SPDX-License-Identifier: MIT
#include "python/painter.hpp"

#include "app/platform/offscreen_context.hpp"
#include "core/cuda/info.hpp"

namespace orrery::python {

/// Objects of the painter's thread. Drawing uses the device that computes, if it can.
struct Painter::Tools {
    std::optional<OffscreenContext> context;
    // Kept alive between frames. Each draw() makes a new one, so that a frame does not depend on earlier ones.
    std::unique_ptr<PictureMaker> maker;
    std::unique_ptr<SharedBuffer> bodies;
    PictureSize size;
    bool legend = false;

    SharedImage draw(PictureRequest& request) {
        if (!context) context.emplace(cuda_info().available ? 0 : -1);
        maker.reset();
        maker = std::make_unique<PictureMaker>(context->gl_info(), request.size, 60, request.legend);
        bodies = std::make_unique<SharedBuffer>();
        bodies->upload(request.frame);
        const double aspect = static_cast<double>(request.size.width) / request.size.height;
        const CameraPose pose = first_pose(request.look.camera, CameraPose{}, request.frame.extent, aspect);
        maker->draw(*bodies, request.frame, pose, request.look.view);
        return maker->take();
    }
    ~Tools() { bodies.reset(), maker.reset(); }
};

Painter::Painter() : thread_{[this] { work(); }} {}

Painter::~Painter() {
    {
        const std::scoped_lock lock{mutex_};
        ends_ = true;
    }
    asked_.notify_one();
    thread_.join();
}

SharedImage Painter::draw(PictureRequest request) {
    const std::scoped_lock turn{one_at_a_time_};
    std::future<SharedImage> drawn;
    {
        const std::scoped_lock lock{mutex_};
        next_ = std::packaged_task<SharedImage(Tools&)>{[&request](Tools& tools) { return tools.draw(request); }};
        drawn = next_.get_future();
    }
    asked_.notify_one();
    return drawn.get();
}

void Painter::work() {
    Tools tools;
    for (std::unique_lock lock{mutex_};;) {
        asked_.wait(lock, [this] { return ends_ || next_.valid(); });
        if (ends_) return;
        auto task = std::exchange(next_, {});
        lock.unlock();
        task(tools);
        lock.lock();
    }
}

}  // namespace orrery::python
