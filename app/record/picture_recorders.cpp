// SPDX-License-Identifier: MIT
#include "app/record/picture_recorders.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "app/record/file_name.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

struct EncodedPicture final : PreparedPicture {
    explicit EncodedPicture(std::vector<std::byte> all) : bytes{std::move(all)} {}
    std::vector<std::byte> bytes;
};

void write(const std::filesystem::path& path, const PreparedPicture& picture) {
    OutputFile file{path};
    file.write(dynamic_cast<const EncodedPicture&>(picture).bytes);
    file.commit();
}

class PictureRecorder : public Recorder {
public:
    PictureRecorder(const RecorderConfig& config, const PictureFormat& format) : config_{config}, format_{format} {}
    using Recorder::add;
    std::unique_ptr<PreparedPicture> prepare(const Image& image) const override {
        check_size(config_, image);
        return std::make_unique<EncodedPicture>(format_.bytes(config_.path, image));
    }
    void add(std::unique_ptr<PreparedPicture> picture) override {
        if (written_) {
            usage_error(fmt::format("{}: can hold only one picture; for more give a folder, NAME_%05d{} or a video",
                                    config_.path.string(), format_.extension));
        }
        write(config_.path, *picture);
        written_ = true;
    }
    void finish() override {}
    std::string description() const override { return std::string{format_.name}; }

private:
    RecorderConfig config_;
    PictureFormat format_;
    bool written_ = false;
};

class SequenceRecorder : public Recorder {
public:
    SequenceRecorder(const RecorderConfig& config, const PictureFormat& format)
        : config_{config}, format_{format}, pattern_{config.path} {
        if (!is_pattern(pattern_)) pattern_ /= fmt::format("frame_%05d{}", format.extension);
        const std::filesystem::path folder = pattern_.parent_path();
        std::error_code error;
        if (!folder.empty()) std::filesystem::create_directories(folder, error);
        if (error) environment_error(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
    }
    using Recorder::add;
    std::unique_ptr<PreparedPicture> prepare(const Image& image) const override {
        check_size(config_, image);
        return std::make_unique<EncodedPicture>(format_.bytes(pattern_, image));
    }
    void add(std::unique_ptr<PreparedPicture> picture) override {
        write(numbered(pattern_, count_), *picture);
        ++count_;
    }
    void finish() override {}
    std::string description() const override { return fmt::format("{} sequence {}", format_.name, pattern_.string()); }

private:
    RecorderConfig config_;
    PictureFormat format_;
    std::filesystem::path pattern_;
    std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> make_picture_recorder(const RecorderConfig& config, const PictureFormat& format) {
    return std::make_unique<PictureRecorder>(config, format);
}

std::unique_ptr<Recorder> make_sequence_recorder(const RecorderConfig& config, const PictureFormat& format) {
    return std::make_unique<SequenceRecorder>(config, format);
}

void note_of_recording(const std::string& what) { to_stderr("orrery: note: {}\n", what); }

void check_size(const RecorderConfig& config, const Image& image) {
    if (image.width == config.width && image.height == config.height) return;
    usage_error(fmt::format("{}: expected a picture of {} x {} pixels, got {} x {}", config.path.string(), config.width,
                            config.height, image.width, image.height));
}

}  // namespace orrery
