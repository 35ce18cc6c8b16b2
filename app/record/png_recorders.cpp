// SPDX-License-Identifier: MIT
#include "app/record/png_recorders.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "app/record/file_name.hpp"
#include "app/record/png_file.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

class PngRecorder : public Recorder {
public:
    explicit PngRecorder(const RecorderConfig& config) : config_{config} {}
    void add(const Image& image) override {
        check_size(config_, image);
        if (written_) {
            usage_error(fmt::format("{}: holds one picture; for more name a folder, NAME_%05d.png or a video",
                                    config_.path.string()));
        }
        write_png(config_.path, image);
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
        if (error) environment_error(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
    }
    void add(const Image& image) override {
        check_size(config_, image);
        write_png(numbered(pattern_, count_), image);
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
    usage_error(fmt::format("{}: a picture of {} x {} pixels was expected, one of {} x {} came", config.path.string(),
                            config.width, config.height, image.width, image.height));
}

}  // namespace orrery
