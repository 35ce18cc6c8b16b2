// SPDX-License-Identifier: MIT
#include "app/record/picture_files.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/record/recorders.hpp"
#include "core/base/error.hpp"
#include "core/base/output_file.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

/// libpng is C, so exceptions must not pass through it and are stored here.
struct Sink {
    std::vector<std::byte>& bytes;
    std::exception_ptr failure;
    std::string complaint;
};

void write_some(png_structp png, png_bytep data, std::size_t size) {
    auto& sink = *static_cast<Sink*>(png_get_io_ptr(png));
    if (sink.failure) return;  // out of memory: let libpng finish; its output is discarded
    try {
        const auto more = std::as_bytes(std::span{data, size});
        sink.bytes.insert(sink.bytes.end(), more.begin(), more.end());
    } catch (...) {
        sink.failure = std::current_exception();
    }
}

void ignore_flush(png_structp) {}
void ignore_warning(png_structp, png_const_charp) {}

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
    static_cast<Sink*>(png_get_error_ptr(png))->complaint = text;
    png_longjmp(png, 1);
}

/// No object with a destructor lives between setjmp and longjmp.
bool encode(png_structp png, png_infop info, const Image& image, bool deep, const std::uint8_t* const* rows) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
                 deep ? 16 : 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    if (deep)
        png_set_swap(png);  // the file is big-endian
    else
        png_set_filler(png, 0, PNG_FILLER_AFTER);  // four bytes in, three out
    png_write_image(png, const_cast<png_bytepp>(rows));
    png_write_end(png, nullptr);
    return true;
}

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

std::vector<std::byte> png_bytes(const std::filesystem::path& path, const Image& image) {
    std::vector<std::byte> bytes;
    bytes.reserve(image.rgba.size() / 4);
    Sink sink{bytes, nullptr, {}};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, on_error, ignore_warning);
    if (!png)
        environment_error(fmt::format("{}: libpng {} cannot be used", path.string(), png_get_libpng_ver(nullptr)));
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &sink, write_some, ignore_flush);
    std::vector<const std::uint8_t*> rows(static_cast<std::size_t>(image.height));
    const bool deep = image.deep && !image.deep->rgb.empty();
    for (std::size_t y = 0; y < rows.size(); ++y) {
        const auto* of_deep = deep ? image.deep->rgb.data() + y * static_cast<std::size_t>(image.width) * 3 : nullptr;
        rows[y] = deep ? reinterpret_cast<const std::uint8_t*>(of_deep) : image.row(static_cast<int>(y));
    }
    const bool good = info && encode(png, info, image, deep, rows.data());
    png_destroy_write_struct(&png, &info);
    if (sink.failure) std::rethrow_exception(sink.failure);
    if (!good) environment_error(fmt::format("{}: cannot be written as PNG: {}", path.string(), sink.complaint));
    return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) {
    OutputFile file{path};
    file.write(png_bytes(path, image));
    file.commit();
}

Image decoded_png(std::string_view name, std::string_view bytes) {
    png_image picture{};
    picture.version = PNG_IMAGE_VERSION;
    Image image;
    if (png_image_begin_read_from_memory(&picture, bytes.data(), bytes.size()) != 0) {
        picture.format = PNG_FORMAT_RGBA;
        image.width = static_cast<int>(picture.width), image.height = static_cast<int>(picture.height);
        image.rgba.resize(PNG_IMAGE_SIZE(picture));
        if (png_image_finish_read(&picture, nullptr, image.rgba.data(), 0, nullptr) != 0) return image;
    }
    const std::string why = picture.message;
    png_image_free(&picture);
    environment_error(fmt::format("{}: not a valid PNG: {}", name, why));
}

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
