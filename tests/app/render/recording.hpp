// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <sys/resource.h>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "app/record/recorders.hpp"
#include "app/render/render_target.hpp"
#include "tests/support/new_folder.hpp"

namespace orrery::test {

/// An image that identifies its number: a moving band over gradients.
inline Image picture(int width, int height, int number) {
    Image image{width, height, {}};
    image.rgba.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool band = x * 40 / width == number % 40;
            image.rgba.push_back(static_cast<std::uint8_t>(band ? 230 : 40 * x / width));
            image.rgba.push_back(static_cast<std::uint8_t>(band ? 200 : 60 * y / height));
            image.rgba.push_back(static_cast<std::uint8_t>(80));
            image.rgba.push_back(255);
        }
    }
    return image;
}

/// Writes rows from top to bottom into a target.
inline void write(const Image& image, const RenderTarget& target) {
    std::vector<std::uint8_t> from_below;
    for (int y = image.height - 1; y >= 0; --y)
        from_below.insert(from_below.end(), image.row(y), image.row(y) + 4 * image.width);
    for (std::size_t i = 3; i < from_below.size(); i += 4)
        from_below[i] = 17;  // arbitrary alpha, as blending leaves it
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(target.canvas().texture().name(), 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                        from_below.data());
}

/// A temporary folder, removed on destruction.
class Folder {
public:
    Folder() = default;
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator{path_}, std::filesystem::directory_iterator{}));
    }

private:
    std::filesystem::path path_ = new_folder();
};

/// During its lifetime, files of this process cannot grow beyond `bytes`, as on a full disk; does not need root.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

}  // namespace orrery::test
