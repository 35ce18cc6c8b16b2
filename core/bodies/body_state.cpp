// SPDX-License-Identifier: MIT
#include "core/bodies/body_state.hpp"

#include <cstdlib>
#include <new>
#include <utility>

#include "core/base/memory.hpp"

namespace orrery {
namespace {

template <class Real>
Bodies bodies_in(const BodyState& state) {
    Bodies bodies;
    bodies.position_mass.resize(state.count);
    bodies.velocity.resize(state.count);
    const std::byte* at = state.bytes.data();
    const auto next = [&] {
        Vec4<Real> v;
        std::memcpy(&v, at, sizeof v);
        at += sizeof v;
        return convert<double>(v);
    };
    for (Vec4d& x : bodies.position_mass) x = next();
    for (Vec3d& v : bodies.velocity) v = xyz(next());
    return bodies;
}

}  // namespace

Bodies bodies_of(const BodyState& state) {
    return state.precision == Precision::kSingle ? bodies_in<float>(state) : bodies_in<double>(state);
}

BodyState state_of(const Bodies& bodies) {
    std::vector<Vec4d> velocity;
    velocity.reserve(bodies.size());
    for (const Vec3d& v : bodies.velocity) velocity.push_back({v.x, v.y, v.z, 0});
    return pack<double>(bodies.position_mass, velocity, std::vector<Vec4d>(bodies.size()));
}

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

template <class Real>
Bodies read(const BodyBackup& kept) {
    Bodies bodies = kept.labels;
    bodies.position_mass.reserve(kept.count());
    bodies.velocity.reserve(kept.count());
    const Vec4<Real>* const x = kept.position_mass<Real>();
    const Vec3<Real>* const v = kept.velocity<Real>();
    for (std::size_t i = 0; i < kept.count(); ++i) {
        bodies.position_mass.push_back(convert<double>(x[i]));
        bodies.velocity.push_back({v[i].x, v[i].y, v[i].z});
    }
    return bodies;
}

template <class Real>
void write(const Bodies& bodies, BodyBackup& to) {
    Vec4<Real>* const x = to.position_mass<Real>();
    Vec3<Real>* const v = to.velocity<Real>();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        x[i] = convert<Real>(bodies.position_mass[i]);
        const Vec3d& from = bodies.velocity[i];
        v[i] = {Real(from.x), Real(from.y), Real(from.z)};
    }
}

}  // namespace

void BodyBackup::Free::operator()(std::byte* memory) const { std::free(memory); }

/// The memory is written completely once; huge pages reduce that to a third of the time.
BodyBackup::BodyBackup(Precision precision, std::size_t count, BodyBackup old)
    : precision_{precision}, count_{count}, memory_{std::move(old.memory_)} {
    if (memory_ && old.bytes() == bytes()) return;
    memory_.reset();
    const std::size_t room = (bytes() + kHugePage - 1) / kHugePage * kHugePage;
    const bool large = bytes() >= kHugePage;
    memory_.reset(static_cast<std::byte*>(large ? std::aligned_alloc(kHugePage, room)
                                                : std::aligned_alloc(64, (bytes() + 127) / 64 * 64)));
    if (!memory_) throw std::bad_alloc{};
    if (large) prefer_huge_pages(memory_.get(), room);
}

Bodies BodyBackup::bodies() const {
    return precision_ == Precision::kSingle ? read<float>(*this) : read<double>(*this);
}

BodyBackup backup_of(const Bodies& bodies, Precision precision, BodyBackup old) {
    BodyBackup all{precision, bodies.size(), std::move(old)};
    precision == Precision::kSingle ? write<float>(bodies, all) : write<double>(bodies, all);
    all.labels = {.names = bodies.names,
                  .species = bodies.species,
                  .ids = bodies.ids,
                  .pinned = bodies.pinned,
                  .charge = bodies.charge,
                  .fields = bodies.fields};
    return all;
}

}  // namespace orrery
