// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/platform/offscreen_context.hpp"
#include "app/record/picture_files.hpp"
#include "app/record/picture_maker.hpp"
#include "app/record/recorders.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/interop.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/menu.hpp"
#include "core/gl/sharing.hpp"
#include "python/bindings.hpp"
#include "python/shared_simulation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

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

constexpr int kLargest = 16384, kShownWidth = 800, kShownHeight = 450;
constexpr std::size_t kMostByPairs = 65536;  // beyond them, a tree computes the values for colours

/// Lives as long as the interpreter, whose end stops its thread.
std::unique_ptr<Painter> painter;
std::mutex making_painter;

Painter& the_painter() {
    const std::scoped_lock lock{making_painter};
    require_own_threads();
    mark_threads();
    if (!painter) painter = std::make_unique<Painter>();
    return *painter;
}

void refuse_keyword(const std::string& keyword) {
    std::string known = "colors, legend, supersampling, scalar_range, target";
    for (const ViewSetting& each : view_settings()) known += fmt::format(", {}", each.info.id);
    for (const char* own : {"distance", "yaw", "pitch", "zoom", "fov"}) known += fmt::format(", {}", own);
    throw py::type_error{fmt::format("'{}' is not a setting of a picture; there are {}", keyword, known)};
}

/// True for settings that apply only to videos.
bool needs_time(const std::string& keyword) {
    return keyword.starts_with("trail") || keyword == "turn" || keyword == "follow" || keyword.starts_with("path_");
}

/// A frame requested by Python.
struct RequestedPicture : PictureRequest {
    std::vector<double> colors;  ///< one number per body instead of the colour quantity; empty: none
};

RequestedPicture requested(const Look& look, int width, int height, std::size_t bodies, const py::kwargs& settings) {
    for (const auto& [side, name] : {std::pair{width, "width"}, {height, "height"}})
        if (side < 16 || side > kLargest)
            usage_error(fmt::format("{}: expected 16 to {} pixels, found {}", name, kLargest, side));
    RequestedPicture request{{.frame = {}, .look = look, .size = {.width = width, .height = height}}, {}};
    request.look.view.trails.on = false;  // a single state has no trails
    for (const auto& [key, given] : settings) {
        const auto keyword = key.cast<std::string>();
        if (needs_time(keyword)) usage_error(fmt::format("{}: applies only to videos; use `orrery record`", keyword));
        if (keyword == "legend") {
            request.legend = given.cast<bool>();
        } else if (keyword == "supersampling") {
            request.size.supersampling = given.cast<int>();
            if (request.size.supersampling < 1 || request.size.supersampling > 3)
                usage_error(fmt::format("supersampling: expected 1, 2 or 3, found {}", request.size.supersampling));
        } else if (keyword == "scalar_range") {
            const auto range = given.cast<std::pair<double, double>>();
            if (!(range.first < range.second) || !std::isfinite(range.first) || !std::isfinite(range.second))
                usage_error("scalar_range: expected a lower and a higher number");
            request.look.view.scalar_range = ScalarRange{range.first, range.second};
        } else if (keyword == "colors") {
            if (given.is_none()) continue;
            request.colors = numbers_of(given, "colors", bodies);
            for (std::size_t i = 0; i < bodies; ++i)
                if (!std::isfinite(request.colors[i]))
                    usage_error(fmt::format("colors: the number of body {} is not finite", i));
        } else if (keyword == "target") {
            const auto at = given.cast<std::tuple<double, double, double>>();
            if (!std::isfinite(std::get<0>(at)) || !std::isfinite(std::get<1>(at)) || !std::isfinite(std::get<2>(at)))
                usage_error("target: expected three finite numbers");
            request.look.camera.target = glm::dvec3{std::get<0>(at), std::get<1>(at), std::get<2>(at)};
        } else if (!assign_keyword(view_settings(), request.look.view, keyword, given) &&
                   !assign_keyword(camera_settings(), request.look.camera, keyword, given)) {
            refuse_keyword(keyword);
        }
    }
    if (!request.colors.empty()) {
        // Any quantity with a linear scale will do, because the numbers replace it.
        if (settings.contains("color_mode")) usage_error("colors: replaces color_mode; give one of the two");
        if (request.legend) usage_error("legend: the numbers in colors have no name or unit; leave it out");
        request.look.view.color_mode = color_mode(ColorBy::kSpeed).id;
        if (!settings.contains("color_map")) request.look.view.color_map = "viridis";
        if (!request.look.view.scalar_range) {
            const auto [low, high] = std::ranges::minmax(request.colors);
            request.look.view.scalar_range = ScalarRange{low, low < high ? high : low + 1};
        }
    }
    return request;
}

/// Leaves the simulation unchanged: a copy evaluates what is missing.
void fill(Simulation& simulation, PictureRequest& request) {
    require_between_steps(simulation);
    const ColorBy by = color_mode(request.look.view.color_mode).by;
    const bool cells = request.look.view.octree.on;
    const EngineConfig& engine = simulation.engine_config();
    if (cells && engine.engine != "auto" && !orrery::engine(engine.engine, engine.backend).has_tree())
        usage_error(fmt::format("octree: engine '{}' on {} has no tree", engine.engine, name(engine.backend)));
    if (!needs_forces(by) && !cells) {
        const ColorBy before = simulation.forces().color().by;
        // The direction of view does not depend on the bodies.
        simulation.set_color_by(by, sight_line_of(OrbitCamera{first_pose(request.look.camera, CameraPose{}, {}, 1)}),
                                request.look.view.color_field);
        simulation.fill(request.frame);
        simulation.set_color_by(before);
    } else {
        Checkpoint now = checkpoint_of(simulation, {});
        now.scene.bodies = simulation.system().bodies();
        Simulation copy = resume(std::move(now));
        copy.set_color_by(by);
        evaluate_all(copy);
        if (copy.forces().color_due()) environment_error("the colours could not be evaluated");
        complete_colors(copy);
        if (cells)
            request.frame.cells = std::make_shared<const std::vector<TreeCell>>(copy.system().engine_cells(1u << 20));
        copy.fill(request.frame);
    }
    if (!request.frame.no_color.empty())
        usage_error(fmt::format("color_mode {}: {}", request.look.view.color_mode, request.frame.no_color));
}

/// Copies the vertices to the host if they are on a device.
void bring_to_host(Frame& frame) {
    if (frame.gl) {
        frame.host = frame.gl->read();
    } else if (frame.device) {
        frame.host.resize(frame.count);
        download(*frame.device, frame.host);
    }
    frame.use_host();
}

SharedImage drawn(const SceneValue& scene, RequestedPicture request);

SharedImage drawn(SharedSimulation& simulation, RequestedPicture request) {
    if (!request.colors.empty()) {
        SceneValue now{.look = request.look};
        simulation.between_steps([&](Simulation& own) { now.scene = present_scene(own); });
        return drawn(now, std::move(request));
    }
    simulation.slowly([&](Simulation& own) { fill(own, request); });
    const Unlocked unlocked;
    return the_painter().draw(std::move(request));
}

SharedImage drawn(const SceneValue& scene, RequestedPicture request) {
    const Unlocked unlocked;
    Painter& own_painter = the_painter();
    EngineConfig engine = scene.engine;
    if (!scene.engine_given) {
        engine.backend = Backend::kCpu;
        if (scene.scene.bodies.size() > kMostByPairs || request.look.view.octree.on) engine.engine = "tree";
    }
    require_sound(scene.scene);
    Simulation simulation{scene.scene, engine};
    fill(simulation, request);
    if (!request.colors.empty()) bring_to_host(request.frame);
    for (std::size_t i = 0; i < request.colors.size(); ++i)
        request.frame.host[i].w = static_cast<float>(request.colors[i]);
    return own_painter.draw(std::move(request));
}

py::array_t<std::uint8_t> array_of(const SharedImage& image) {
    auto kept = std::make_unique<SharedImage>(image);
    const py::capsule keeper{kept.get(), [](void* held) { delete static_cast<SharedImage*>(held); }};
    (void)kept.release();
    // The image has no other owner, so the caller may write to it.
    return py::array_t<std::uint8_t>{{image->height, image->width, 4}, image->rgba.data(), keeper};
}

py::bytes bytes_of_png(const Image& image) {
    std::vector<std::byte> bytes;
    {
        const Unlocked unlocked;
        bytes = png_bytes("picture", image);
    }
    return py::bytes{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr const char* kRender =
    "An image of the bodies in their current state: uint8 of shape (height, width, 4), rows from top to bottom, red, "
    "green, blue and 255, in sRGB. Drawn as by `orrery record`, without a display, on a separate thread.\n\n"
    "Keywords are settings of the view, see view_settings(): color_mode, color_map, size, exposure, glow, stars, "
    "octree …; of the camera: yaw, pitch (degrees), zoom, distance, fov, target (three lengths); legend, supersampling "
    "(1 to 3), scalar_range (two numbers); colors: one number per body, shape (N,), instead of color_mode, from the "
    "lowest to the highest number or over scalar_range. Defaults are those of the scene. Raises UsageError for an "
    "invalid value, TypeError for an unknown keyword, MachineError without OpenGL 4.5.";

const Look& look_of(const SceneValue& scene) { return scene.look; }
const Look& look_of(const SharedSimulation& simulation) { return simulation.look(); }
std::size_t count_of(const SceneValue& scene) { return scene.scene.bodies.size(); }
std::size_t count_of(const SharedSimulation& simulation) { return simulation.count(); }

template <class Self>
void bind_render(py::class_<Self, std::shared_ptr<Self>>& type) {
    using namespace py::literals;
    type.def(
            "render",
            [](Self& self, int width, int height, const py::kwargs& settings) {
                return array_of(drawn(self, requested(look_of(self), width, height, count_of(self), settings)));
            },
            kRender, "width"_a = 1280, "height"_a = 720)
        .def(
            "_repr_png_",
            [](Self& self) {
                return bytes_of_png(*drawn(self, requested(look_of(self), kShownWidth, kShownHeight, 0, {})));
            },
            "The image that notebooks display.");
}

}  // namespace

Image image_of(const py::array& given) {
    if (given.dtype().kind() != 'u' || given.itemsize() != 1)
        throw py::type_error{"picture: expected an array of uint8"};
    const auto plain = py::array_t<std::uint8_t, py::array::c_style>::ensure(given);
    if (!plain || plain.ndim() != 3 || (plain.shape(2) != 3 && plain.shape(2) != 4) || plain.size() == 0)
        usage_error("picture: expected shape (height, width, 3) or (height, width, 4)");
    Image image{static_cast<int>(plain.shape(1)), static_cast<int>(plain.shape(0)), {}};
    const std::uint8_t* from = plain.data();
    if (plain.shape(2) == 4) {
        image.rgba.assign(from, from + plain.size());
        return image;
    }
    const auto pixels = static_cast<std::size_t>(plain.size()) / 3;
    image.rgba.reserve(4 * pixels);
    for (std::size_t i = 0; i < pixels; ++i, from += 3)
        image.rgba.insert(image.rgba.end(), {from[0], from[1], from[2], std::uint8_t{255}});
    return image;
}

void bind_pictures(py::module_& module) {
    using namespace py::literals;
    py::class_<SceneValue, SharedScene> scene = module.attr("Scene");
    py::class_<SharedSimulation, SimulationHandle> simulation = module.attr("Simulation");
    bind_render(scene), bind_render(simulation);
    module.def(
        "png", [](const py::array& picture) { return bytes_of_png(image_of(picture)); }, "picture"_a,
        "Encodes an image, uint8 of shape (height, width, 3 or 4), as the bytes of a PNG; alpha is dropped.");
    module.def(
        "write_png",
        [](const std::filesystem::path& path, const py::array& picture) {
            std::string extension = path.extension().string();
            std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
            if (extension != ".png") usage_error(fmt::format("{}: expected a name that ends in .png", path.string()));
            const Image image = image_of(picture);
            const Unlocked unlocked;
            write_png(path, image);
        },
        "path"_a, "picture"_a,
        "Writes an image, uint8 of shape (height, width, 3 or 4), as a PNG that appears when it is complete. Raises "
        "UsageError for a name that does not end in .png.");
    at_end([] {
        const std::scoped_lock lock{making_painter};
        if (forked_from_threads()) (void)painter.release();  // in a forked child, its thread does not exist
        painter.reset();
    });
}

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
