// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

/// Pixels with more than eight bits; rows from top to bottom.
struct DeepImage {
    /// Three values per pixel: sRGB, or for HDR10 BT.2020 with the PQ curve; empty if not requested.
    std::vector<std::uint16_t> rgb;
    /// Five values per pixel; empty if not requested: linear red, green and blue, of which 1 is drawn white; light in
    /// units of one body of mean mass; mean depth of the light in lengths of the scene, 0 without light.
    std::vector<float> light;
    /// Two values per pixel; empty if not requested: the way to the next frame in pixels, to the right and up.
    std::vector<float> motion;
    double body_mass = 0;  ///< the mean mass; 0: unknown
};

/// A frame as stored in files: rows from top to bottom, four sRGB bytes per pixel, alpha always 255.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;
    std::shared_ptr<const DeepImage> deep{};  ///< the frame for recorders of more than 8 bits; `rgba` is then empty

    bool empty() const noexcept { return rgba.empty() && !deep; }
    const std::uint8_t* row(int y) const noexcept {
        return rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 4;
    }
};

/// A finished frame on its way to a file: immutable; its memory is reused when the last owner releases it.
using SharedImage = std::shared_ptr<const Image>;

/// The light of bodies before tone mapping: rows from top to bottom, four values per pixel. Light is in units of one
/// body of mean mass, so its sum is the number of bodies in the frame, or their mass over the mean mass. The values are
/// light, light × position in the colour map, 0, 0; with `hues`, light, light × linear colour; with `moments`, light,
/// light × position, light × position², 0, where positions cover three times the range of the map.
struct LightImage {
    int width = 0, height = 0;
    bool hues = false, moments = false;
    std::vector<float> numbers;

    const float* pixel(int x, int y) const noexcept {
        return numbers.data() +
               4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};

/// The quantity stored with the light.
enum class LightOf {
    kColors,  ///< the frame's colours
    kDepth,   ///< away / (away + distance of the target), with away measured from the eye along the line of sight
};

/// Images with reused memory, which returns to the pool when the last owner releases it, on any thread. get() must be
/// called by one thread.
class ImagePool {
public:
    enum class Memory {
        kPlain,
        kPinned,  ///< a CUDA device copies into it at full speed and asynchronously
    };
    explicit ImagePool(Memory memory);

    /// width × height pixels, contents undefined. Throws Error{kEnvironment} if memory cannot be pinned.
    std::shared_ptr<Image> get(int width, int height);

private:
    struct Spare;
    std::shared_ptr<Spare> spare_;  // outlives the pool while images are in use
    Memory memory_;
};

double light_of_srgb(double s);  ///< 0 to 1 (IEC 61966-2-1)
double srgb_of_light(double c);  ///< its inverse

/// Linear light of an sRGB byte (IEC 61966-2-1), at most 65535. Averaging bytes instead of light would give darker
/// pixels.
const std::array<std::uint32_t, 256>& light_of_byte();
/// The sRGB byte nearest to a linear light, for 0 … 65535.
const std::vector<std::uint8_t>& byte_of_light();

/// Each pixel is the mean light of factor × factor pixels of `from`, whose size is a multiple of `factor`.
/// shaders/pack.comp does the same with the same tables and gives the same bytes.
void shrink(const Image& from, int factor, Image& into);

}  // namespace orrery
