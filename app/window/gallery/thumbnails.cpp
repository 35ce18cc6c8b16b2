// SPDX-License-Identifier: MIT
#include "app/window/gallery/thumbnails.hpp"

#include <glad/gl.h>

#include <array>

#include "app/record/picture_files.hpp"
#include "assets/assets.hpp"

namespace orrery {
namespace {

unsigned texture_of(const Image& image) {
    unsigned texture = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, image.width, image.height);
    glTextureSubImage2D(texture, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    for (const auto& [name, value] :
         {std::pair{GL_TEXTURE_MIN_FILTER, GL_LINEAR}, std::pair{GL_TEXTURE_MAG_FILTER, GL_LINEAR},
          std::pair{GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE}, std::pair{GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE}})
        glTextureParameteri(texture, static_cast<GLenum>(name), value);
    return texture;
}

}  // namespace

Thumbnails::~Thumbnails() {
    for (const auto& [id, texture] : textures_)
        if (texture != 0) glDeleteTextures(1, &texture);
}

std::uintptr_t Thumbnails::of(std::string_view id) {
    if (const auto known = textures_.find(id); known != textures_.end()) return known->second;
    if (left_-- <= 0) return 0;
    const std::string name = "thumbnails/" + std::string{id} + ".png";
    const std::string_view bytes = assets::file(name);
    return textures_[std::string{id}] = bytes.empty() ? 0 : texture_of(decoded_png(name, bytes));
}

}  // namespace orrery
