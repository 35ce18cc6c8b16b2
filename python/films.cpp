// SPDX-License-Identifier: MIT
// Videos, animated GIFs and PNG sequences from frames in memory.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>
#include <mutex>

#include "app/record/recorders.hpp"
#include "core/base/error.hpp"
#include "python/bindings.hpp"
#include "python/pictures.hpp"

namespace orrery::python {
namespace {

/// `orrery.Film`. Calls from several threads are serialised.
class Film {
public:
    Film(const std::filesystem::path& path, int width, int height, int fps, int quality)
        : config_{.path = path, .width = width, .height = height, .fps = fps, .quality = quality} {
        for (const auto& [side, name] : {std::pair{width, "width"}, {height, "height"}})
            if (side < 16 || side > 16384)
                usage_error(fmt::format("{}: expected 16 to 16384 pixels, found {}", name, side));
        if (fps < 1 || fps > 1000) usage_error(fmt::format("fps: expected 1 to 1000, found {}", fps));
        if (quality < 1 || quality > 100) usage_error(fmt::format("quality: expected 1 to 100, found {}", quality));
        const Unlocked unlocked;
        recorder_ = make_recorder(config_);
    }

    void add(const py::array& picture) {
        const Image image = image_of(picture);
        if (image.width != config_.width || image.height != config_.height)
            usage_error(fmt::format("picture: expected {} × {} pixels, found {} × {}", config_.width, config_.height,
                                    image.width, image.height));
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        if (!recorder_) usage_error("this Film is closed");
        recorder_->add(image);
        ++pictures_;
    }
    void close() {
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        if (!recorder_) return;
        const std::unique_ptr<Recorder> last = std::move(recorder_);
        if (pictures_ == 0) usage_error(fmt::format("{}: a Film needs at least one picture", config_.path.string()));
        last->finish();
    }
    /// Keeps the part written so far under the partial name, as an interrupted recording does.
    void abandon() {
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        recorder_.reset();
    }
    std::size_t pictures() const { return pictures_; }

private:
    const RecorderConfig config_;
    std::mutex mutex_;
    std::unique_ptr<Recorder> recorder_;
    std::size_t pictures_ = 0;
};

}  // namespace

void bind_films(py::module_& module) {
    using namespace py::literals;
    py::class_<Film, std::shared_ptr<Film>> type{
        module, "Film",
        "A video, an animated GIF or a PNG sequence, written frame by frame: MP4 or WebM by libav, NAME.gif, or "
        "NAME_%05d.png. The file appears under its name when it is complete. A `with` block completes it; if the block "
        "raises, a playable part remains under another name."};
    type.attr("__module__") = "orrery";
    type.def(py::init<const std::filesystem::path&, int, int, int, int>(), "path"_a, "width"_a = 1280, "height"_a = 720,
             py::kw_only(), "fps"_a = 60, "quality"_a = 80,
             "Begins a file. width and height: of every frame, in pixels; fps: frames per second; quality: 1 to 100. "
             "Raises UsageError for an unknown extension, MachineError if the file cannot be written or no encoder "
             "works.")
        .def("add", &Film::add, "picture"_a,
             "Appends a frame, uint8 of shape (height, width, 3 or 4). Raises UsageError for another size.")
        .def("close", &Film::close, "Completes the file. A second call does nothing.")
        .def("__len__", &Film::pictures)
        .def("__enter__", [](py::object self) { return self; })
        .def("__exit__", [](Film& self, const py::object& error, const py::args&) {
            if (error.is_none())
                self.close();
            else
                self.abandon();
        });
}

}  // namespace orrery::python
