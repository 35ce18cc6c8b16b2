// SPDX-License-Identifier: MIT
#include "app/record/png_file.hpp"

#include <fmt/format.h>
#include <png.h>

#include <exception>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

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

}  // namespace orrery
