// SPDX-License-Identifier: MIT
#include "core/bodies/same_start.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/bodies.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// FNV-1a (Fowler, Noll & Vo), on 64-bit words.
class Fingerprint {
public:
    void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3, hash_ ^= hash_ >> 32; }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325;
};

void require_same(Ranks& ranks, std::uint64_t fingerprint, const char* what) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.count()));
    all[static_cast<std::size_t>(ranks.rank())] = fingerprint;
    gather_parts(ranks, std::span{all}, all.size(), 1);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            usage_error(
                fmt::format("rank {} of {} has read {} than rank 0: files of the same name differ; copy the file "
                            "of rank 0 to all machines",
                            rank, all.size(), what));
}

}  // namespace

void require_same_bodies(Ranks& ranks, const Bodies& bodies) {
    Fingerprint all;
    all.add(std::uint64_t{bodies.size()});
    for (const Vec4d& body : bodies.position_mass) all.add(body.x), all.add(body.y), all.add(body.z), all.add(body.w);
    for (const Vec3d& v : bodies.velocity) all.add(v.x), all.add(v.y), all.add(v.z);
    for (const double charge : bodies.charge) all.add(charge);
    for (const std::uint64_t id : bodies.ids) all.add(id);
    require_same(ranks, all.value(), "other bodies");
}

void require_same_numbers(Ranks& ranks, std::span<const double> numbers) {
    Fingerprint all;
    for (const double number : numbers) all.add(number);
    require_same(ranks, all.value(), "another time, dt or softening");
}

}  // namespace orrery
