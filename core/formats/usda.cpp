// SPDX-License-Identifier: MIT
// Universal Scene Description as text (openusd.org): a prim of the schema Points, with a time sample per snapshot.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/voxels.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/film_formats.hpp"
#include "core/plot/scales.hpp"

namespace orrery {
namespace usda_files {
namespace {

constexpr double kFramesPerSecond = 24;
constexpr double kLogarithmicFrom = 50;  // ratio of the largest to the smallest value
constexpr std::size_t kPiece = std::size_t{1} << 20;

/// An attribute, whose samples are written one after the other while those of the others are.
class Attribute {
public:
    Attribute(const std::filesystem::path& path, std::string declared, std::string about)
        : path_{path}, file_{path, std::ios::binary}, declared_{std::move(declared)}, about_{std::move(about)} {}

    /// Calls each(i, text) for every element of an array.
    template <class Each>
    void sample(double code, std::size_t count, const Each& each) {
        fmt::memory_buffer text;
        fmt::format_to(std::back_inserter(text), "        {}: [", code);
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) text.append(std::string_view{", "});
            each(i, text);
            if (text.size() > kPiece) flush(text);
        }
        text.append(std::string_view{"],\n"});
        flush(text);
    }
    void copy_to(OutputFile& to) {
        file_.close();
        to.write(fmt::format("    {}{}\n    {}.timeSamples = {{\n", declared_, about_, declared_));
        std::ifstream from{path_, std::ios::binary};
        std::vector<char> part(kPiece);
        while (from.read(part.data(), static_cast<std::streamsize>(part.size())) || from.gcount() > 0)
            to.write(std::string_view{part.data(), static_cast<std::size_t>(from.gcount())});
        to.write(std::string_view{"    }\n"});
    }

private:
    void flush(fmt::memory_buffer& text) {
        file_.write(text.data(), static_cast<std::streamsize>(text.size()));
        if (!file_) environment_error(fmt::format("{}: cannot be written", path_.string()));
        text.clear();
    }

    std::filesystem::path path_;
    std::ofstream file_;
    std::string declared_, about_;
};

void add(fmt::memory_buffer& text, float number) {  // USD reads "nan"
    if (std::isnan(number)) return text.append(std::string_view{"nan"});
    fmt::format_to(std::back_inserter(text), "{}", number);
}
void add(fmt::memory_buffer& text, Vec3f v) { fmt::format_to(std::back_inserter(text), "({}, {}, {})", v.x, v.y, v.z); }
Vec3f rounded(Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

/// Names of primvars: letters, digits and underscores, each once.
std::vector<std::string> primvars(const std::vector<BodyField>& fields) {
    std::vector<std::string> taken{"displayColor", "mass"};
    for (const BodyField& field : fields) {
        std::string name = field.name;
        for (char& c : name)
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
        if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(name.begin(), '_');
        while (std::ranges::find(taken, name) != taken.end()) name += '_';
        taken.push_back(std::move(name));
    }
    return {taken.begin() + 2, taken.end()};
}

/// The first field, or the speeds.
std::vector<double> colored_by(const Bodies& bodies) {
    std::vector<double> values;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        values.push_back(bodies.fields.empty() ? length(bodies.velocity[i])
                                               : static_cast<double>((*bodies.fields.front().values)[i]));
    return values;
}

CellScale scale_of(const std::vector<double>& values) {
    double low = HUGE_VAL, high = 0;
    bool linear = false;
    for (const double value : values) {
        linear |= value < 0;
        if (value > 0) low = std::min(low, value), high = std::max(high, value);
    }
    return CellScale{values, linear || high < kLogarithmicFrom * low};
}

/// Linear light of an sRGB byte (IEC 61966-2-1): colours of USD are linear.
float linear(std::uint8_t byte) {
    const double s = byte / 255.0;
    return static_cast<float>(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
}

constexpr std::string_view kPerPoint = " (\n        interpolation = \"vertex\"\n    )";

class Writer {
public:
    Writer(const UsdaFrames& frames, const std::filesystem::path& path) : frames_{frames}, path_{path} {}
    void write();

private:
    void begin(const Scene& first);
    void add_frame(const Scene& scene, double code);
    void finish();
    Attribute& attribute(std::string declared, std::string about = {}) {
        const auto at = folder_.path() / std::to_string(attributes_.size());
        return *attributes_.emplace_back(std::make_unique<Attribute>(at, std::move(declared), std::move(about)));
    }

    const UsdaFrames& frames_;
    const std::filesystem::path& path_;
    TemporaryFolder folder_;
    std::vector<std::unique_ptr<Attribute>> attributes_;
    std::vector<Attribute*> of_fields_;
    Attribute *extent_ = nullptr, *points_ = nullptr, *velocities_ = nullptr, *mass_ = nullptr, *color_ = nullptr,
              *ids_ = nullptr;  // null: the bodies have none
    std::optional<CellScale> scale_;
    double width_ = 0, interval_ = 1;  // interval: the scene's time per frame
    std::string about_;
};

void Writer::begin(const Scene& first) {
    const Bodies& bodies = first.bodies;
    const double duration = frames_.last_time - frames_.first_time;
    interval_ = frames_.count > 1 && duration > 0 ? duration / static_cast<double>(frames_.count - 1)
                                                  : first.dt * first.steps_per_frame;
    width_ = 2 * (first.gravity.softening > 0 ? first.gravity.softening : suggested_voxel(bodies));
    scale_.emplace(scale_of(colored_by(bodies)));
    extent_ = &attribute("float3[] extent");
    points_ = &attribute("point3f[] points");
    velocities_ = &attribute("vector3f[] velocities");
    color_ = &attribute("color3f[] primvars:displayColor", std::string{kPerPoint});
    mass_ = &attribute("float[] primvars:mass", std::string{kPerPoint});
    if (!bodies.ids.empty()) ids_ = &attribute("int64[] ids");
    for (const std::string& name : primvars(bodies.fields))
        of_fields_.push_back(&attribute("float[] primvars:" + name, std::string{kPerPoint}));
    about_ = fmt::format("{}; times {:g} to {:g}, {:g} per frame", first.label, frames_.first_time, frames_.last_time,
                         interval_);
    std::ranges::replace_if(
        about_, [](char c) { return c == '"' || c == '\\' || c == '\n'; }, '\'');
}

void Writer::add_frame(const Scene& scene, double code) {
    const Bodies& bodies = scene.bodies;
    const std::size_t count = bodies.size();
    validate(bodies, path_.string());
    constexpr float kLarge = std::numeric_limits<float>::max();
    Vec3f low{kLarge, kLarge, kLarge}, high{-kLarge, -kLarge, -kLarge};
    const auto half = static_cast<float>(width_ / 2);
    points_->sample(code, count, [&](std::size_t i, fmt::memory_buffer& text) {
        const Vec3f p = rounded(xyz(bodies.position_mass[i]));
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        add(text, p);
    });
    extent_->sample(code, 2, [&](std::size_t i, fmt::memory_buffer& text) {
        const Vec3f margin{half, half, half};
        add(text, i == 0 ? low - margin : high + margin);
    });
    velocities_->sample(code, count, [&](std::size_t i, fmt::memory_buffer& text) {  // USD: lengths per second
        add(text, rounded(interval_ * kFramesPerSecond * bodies.velocity[i]));
    });
    const std::vector<double> values = colored_by(bodies);
    color_->sample(code, count, [&](std::size_t i, fmt::memory_buffer& text) {
        constexpr float kGrey = 0.18f;
        const auto color = scale_->color(values[i]);
        add(text,
            color ? Vec3f{linear(color->red), linear(color->green), linear(color->blue)} : Vec3f{kGrey, kGrey, kGrey});
    });
    if (ids_)
        ids_->sample(code, count, [&](std::size_t i, fmt::memory_buffer& text) {
            fmt::format_to(std::back_inserter(text), "{}", bodies.ids[i]);
        });
    mass_->sample(code, count, [&](std::size_t i, fmt::memory_buffer& text) {
        add(text, static_cast<float>(bodies.position_mass[i].w));
    });
    for (std::size_t f = 0; f < of_fields_.size(); ++f)
        of_fields_[f]->sample(
            code, count, [&](std::size_t i, fmt::memory_buffer& text) { add(text, (*bodies.fields[f].values)[i]); });
}

void Writer::finish() {
    OutputFile file{path_, Durable::kYes};
    const double last = (frames_.last_time - frames_.first_time) / interval_;
    file.write(fmt::format(
        "#usda 1.0\n(\n    defaultPrim = \"bodies\"\n    doc = \"{}\"\n    endTimeCode = {}\n"
        "    framesPerSecond = {}\n    metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {}\n"
        "    upAxis = \"Z\"\n)\n\ndef Points \"bodies\"\n{{\n",
        about_, last, kFramesPerSecond, kFramesPerSecond));
    file.write(fmt::format("    float[] widths = [{}] (\n        interpolation = \"constant\"\n    )\n",
                           static_cast<float>(width_)));
    for (const auto& each : attributes_) each->copy_to(file);
    file.write(std::string_view{"}\n"});
    file.commit();
}

void Writer::write() {
    Progress progress{"writing", frames_.count};
    for (std::size_t i = 0; i < frames_.count; ++i) {
        const Scene scene = frames_.read(i);
        if (i == 0) begin(scene);
        add_frame(scene, (scene.time - frames_.first_time) / interval_);
        progress.update(i + 1);
    }
    finish();
}

bool recognises(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    constexpr std::string_view kMagic = "#usda ";
    return head.size() >= kMagic.size() &&
           std::ranges::equal(head.first(kMagic.size()), std::as_bytes(std::span{kMagic}));
}

[[noreturn]] Scene read(const std::filesystem::path& path) {
    usage_error(path.string() + ": USD files are written, not read");
}

void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    with_scene(scene, bodies, [&](const Scene& whole) {
        write_usda({1, [&](std::size_t) { return whole; }, whole.time, whole.time}, path);
    });
}

constexpr std::array<std::string_view, 1> kExtensions{".usda"};

}  // namespace
}  // namespace usda_files

void write_usda(const UsdaFrames& frames, const std::filesystem::path& path) {
    usda_files::Writer{frames, path}.write();
}

const FormatEntry& usda() {
    using namespace usda_files;
    static const FormatEntry entry{
        "usda",
        "USD",
        "points of Universal Scene Description as text, with velocities, colours, widths, ids and fields, for Blender, "
        "Houdini and usdview; written only",
        kExtensions,
        {.ids = true, .fields = true, .largest_id = std::numeric_limits<std::int64_t>::max()},
        recognises,
        read,
        write};
    return entry;
}

}  // namespace orrery
