// SPDX-License-Identifier: MIT
#include "core/lab/kernel.hpp"

#include <fmt/format.h>

#include "core/base/random.hpp"
#include "core/lab/pairs.hpp"

namespace orrery {

std::vector<Vec4f> lab_bodies(std::uint32_t count) {
    Random random{1};
    std::vector<Vec4f> bodies(count);
    for (Vec4f& body : bodies) {
        body.x = static_cast<float>(random.uniform());
        body.y = static_cast<float>(random.uniform());
        body.z = static_cast<float>(random.uniform());
        body.w = static_cast<float>(random.uniform(0, kLargestRadius));
    }
    return bodies;
}

namespace {

/// Checks a kernel that visits groups of `fold` bodies and writes the sum of their indices.
LabCheck each_once(std::string_view what, std::uint64_t items, std::uint64_t visited, std::uint64_t twice,
                   std::uint64_t last_sum, std::uint64_t fold, std::uint32_t bodies) {
    if (visited < items) return {false, fmt::format("{} of {} {} missing", items - visited, items, what)};
    if (twice > 0) return {false, fmt::format("{} {} computed twice", twice, what)};
    if (last_sum > fold * (bodies - 1)) return {false, fmt::format("an impossible sum was written: {}", last_sum)};
    return {true, {}};
}

}  // namespace

LabCheck dummy_verdict(std::uint64_t pairs, std::uint64_t visited, std::uint64_t twice, std::uint64_t last_sum,
                       std::uint32_t bodies) {
    return each_once("pairs", pairs, visited, twice, last_sum, 2, bodies);
}

LabCheck triplet_verdict(std::uint64_t triples, std::uint64_t visited, std::uint64_t twice, std::uint64_t last_sum,
                         std::uint32_t bodies) {
    return each_once("triples", triples, visited, twice, last_sum, 3, bodies);
}

LabCheck quadruplet_verdict(std::uint64_t quadruples, std::uint64_t visited, std::uint64_t twice,
                            std::uint64_t last_sum, std::uint32_t bodies) {
    return each_once("quadruples", quadruples, visited, twice, last_sum, 4, bodies);
}

LabCheck pairs_verdict(std::uint64_t pairs, std::uint64_t visited, std::uint64_t twice) {
    return each_once("pairs", pairs, visited, twice, 0, 0, 1);
}

LabCheck automaton_verdict(std::uint64_t wrong, std::uint64_t outside) {
    if (wrong > 0) return {false, fmt::format("{} cells wrong or missing", wrong)};
    if (outside > 0) return {false, fmt::format("{} cells written outside of the triangle", outside)};
    return {true, {}};
}

LabCheck edm_verdict(std::uint64_t wrong, std::uint64_t outside) {
    if (wrong > 0) return {false, fmt::format("{} distances wrong or missing", wrong)};
    if (outside > 0) return {false, fmt::format("{} values written above the diagonal", outside)};
    return {true, {}};
}

LabCheck collision_verdict(std::uint64_t wrong, std::uint64_t counted, std::uint64_t colliding) {
    if (wrong > 0) return {false, fmt::format("{} flags wrong or missing", wrong)};
    if (counted != colliding) return {false, fmt::format("counted {} of {} colliding pairs", counted, colliding)};
    return {true, {}};
}

}  // namespace orrery
