// SPDX-License-Identifier: MIT
#include "app/record/png_recorders.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "app/record/file_name.hpp"
#include "app/record/png_file.hpp"
#include "core/base/error.hpp"
#include "core/base/output_file.hpp"

namespace orrery {
namespace {

struct PngPicture final : PreparedPicture {
    explicit PngPicture(std::vector<std::byte> all) : bytes{std::move(all)} {}
    std::vector<std::byte> bytes;
};

void write(const std::filesystem::path& path, const PreparedPicture& picture) {
    OutputFile file{path};
    file.write(dynamic_cast<const PngPicture&>(picture).bytes);
    file.commit();
}

class PngRecorder : public Recorder {
public:
    explicit PngRecorder(const RecorderConfig& config) : config_{config} {}
    using Recorder::add;
    std::unique_ptr<PreparedPicture> prepare(const Image& image) const override {
        check_size(config_, image);
        return std::make_unique<PngPicture>(png_bytes(config_.path, image));
    }
    void add(std::unique_ptr<PreparedPicture> picture) override {
        if (written_) {
            usage_error(fmt::format("{}: holds one picture; for more name a folder, NAME_%05d.png or a video",
                                    config_.path.string()));
        }
        write(config_.path, *picture);
        written_ = true;
    }
    void finish() override {}
    std::string description() const override { return "PNG"; }

private:
    RecorderConfig config_;
    bool written_ = false;
};

class PngSequenceRecorder : public Recorder {
public:
    explicit PngSequenceRecorder(const RecorderConfig& config) : config_{config}, pattern_{config.path} {
        if (!is_pattern(pattern_)) pattern_ /= "frame_%05d.png";
        const std::filesystem::path folder = pattern_.parent_path();
        std::error_code error;
        if (!folder.empty()) std::filesystem::create_directories(folder, error);
        if (error) environment_error(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
    }
    using Recorder::add;
    std::unique_ptr<PreparedPicture> prepare(const Image& image) const override {
        check_size(config_, image);
        return std::make_unique<PngPicture>(png_bytes(pattern_, image));
    }
    void add(std::unique_ptr<PreparedPicture> picture) override {
        write(numbered(pattern_, count_), *picture);
        ++count_;
    }
    void finish() override {}
    std::string description() const override { return "PNG sequence " + pattern_.string(); }

private:
    RecorderConfig config_;
    std::filesystem::path pattern_;
    std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> make_png_recorder(const RecorderConfig& config) {
    return std::make_unique<PngRecorder>(config);
}

std::unique_ptr<Recorder> make_png_sequence_recorder(const RecorderConfig& config) {
    return std::make_unique<PngSequenceRecorder>(config);
}

void check_size(const RecorderConfig& config, const Image& image) {
    if (image.width == config.width && image.height == config.height) return;
    usage_error(fmt::format("{}: expected a picture of {} x {} pixels, got {} x {}", config.path.string(), config.width,
                            config.height, image.width, image.height));
}

}  // namespace orrery
