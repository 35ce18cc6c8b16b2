// SPDX-License-Identifier: MIT
// Texts of kernels for tests.
#pragma once
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace orrery::test {

inline std::string cpp_pair(std::string_view body, std::string_view head = "") {
    return "//! kind = pair\n//! language = c++\n" + std::string{head} +
           "template <class Real>\norrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) "
           "{\n" +
           std::string{body} + "\n}\n";
}
inline std::string cuda_pair(std::string_view body, std::string_view before = "") {
    return "//! kind = pair\n//! language = cuda\n" + std::string{before} +
           "template <class Real>\n__device__ orrery::Pair<Real> pair(Real r2, Real own, Real other, const "
           "Parameters<Real>& p) {\n" +
           std::string{body} + "\n}\n";
}
inline std::string cuda_forces(std::string_view body, std::string_view before = "") {
    return "//! kind = forces\n//! language = cuda\n" + std::string{before} +
           "template <class Real>\n__device__ void forces(const orrery::Bodies<Real>& b, unsigned first, const "
           "Parameters<Real>&) {\n" +
           std::string{body} + "\n}\n";
}
inline std::string cpp_forces(std::string_view body, std::string_view before = "") {
    return "//! kind = forces\n//! language = c++\n" + std::string{before} +
           "template <class Real>\nvoid forces(const orrery::Bodies<Real>& b, std::size_t first, std::size_t last, "
           "const "
           "Parameters<Real>&) {\n" +
           std::string{body} + "\n}\n";
}
inline std::string cpp_map(std::string_view grid, std::string_view tile) {
    return "//! kind = map\n//! language = c++\norrery::Grid grid(std::uint32_t rows, const Parameters<double>&) {\n" +
           std::string{grid} +
           "\n}\norrery::Tile tile(std::uint64_t x, std::uint64_t y, std::uint32_t rows, const Parameters<double>&) "
           "{\n" +
           std::string{tile} + "\n}\n";
}

/// A correct loop, with `end` after its body.
inline std::string naive_loop(std::string_view end = "") {
    return R"(for (std::size_t i = first; i < last; ++i) {
    Real x = 0, y = 0, z = 0;
    for (std::size_t j = 0; j < b.count; ++j) {
        const Real dx = b.body[j].x - b.body[i].x, dy = b.body[j].y - b.body[i].y, dz = b.body[j].z - b.body[i].z;
        const Real r2 = dx * dx + dy * dy + dz * dz + b.softening2;
        if (j == i || !(r2 > Real(1e-24))) continue;
        const Real s = b.body[j].w / (r2 * std::sqrt(r2));
        x += s * dx, y += s * dy, z += s * dz;
    }
    b.acceleration[i] = {b.constant * x, b.constant * y, b.constant * z, 0};
})" + std::string{end};
}

/// The message of the Error that `action` throws; empty if it throws none.
template <class Action>
std::string refusal_when(const Action& action) {
    try {
        action();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace orrery::test
