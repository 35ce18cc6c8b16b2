// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace orrery {

/// Textures of the pictures in assets/thumbnails, created on first use, a few per frame. Needs the window's OpenGL
/// context.
class Thumbnails {
public:
    Thumbnails() = default;
    Thumbnails(const Thumbnails&) = delete;
    Thumbnails& operator=(const Thumbnails&) = delete;
    ~Thumbnails();

    void begin_frame() { left_ = kMostInAFrame; }
    /// 0: there is no such picture, or too many were created in this frame.
    std::uintptr_t of(std::string_view id);
    std::size_t made() const { return textures_.size(); }

private:
    static constexpr int kMostInAFrame = 4;
    std::map<std::string, unsigned, std::less<>> textures_;
    int left_ = 0;
};

}  // namespace orrery
