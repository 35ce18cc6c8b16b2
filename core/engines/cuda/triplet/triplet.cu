// SPDX-License-Identifier: MIT
// Three-body forces on the GPU: a thread map assigns triples of tiles to blocks; the kernel is in tiles.cuh.
#include "core/engines/cuda/settings.hpp"
#include "core/engines/entries.hpp"

#include <algorithm>

#include "core/cuda/device_buffer.hpp"
#include "core/engines/cuda/share.hpp"
#include "core/engines/cuda/triplet/tiles.cuh"
#include "core/engines/engine.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/part_of_grid.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

using namespace cuda;

template <class Real>
__global__ void scale_sums(const Vec4d* sums, Vec4<Real>* acceleration, std::uint64_t count, double nu) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4d sum = sums[i];
    acceleration[i] = {Real(3 * nu * sum.x), Real(3 * nu * sum.y), Real(3 * nu * sum.z), Real(nu * sum.w)};
}

/// All triplets once, by a thread map of the tetrahedron. An item is a block of the map's grid.
template <class Real>
class Triplets final : public Engine<Device, Real> {
public:
    explicit Triplets(const EngineConfig& config) : config_{config} {}

    std::uint64_t begin(BodyView<Device, Real> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        check_triplet_tiles(bodies.count);
        const auto softening = static_cast<Real>(gravity.softening);
        args_.bodies = bodies.position_mass;
        args_.low = bodies.low;
        args_.count = bodies.count;
        args_.softening2 = softening * softening;
        args_.tiles = static_cast<std::uint32_t>((bodies.count + kTripletSide - 1) / kTripletSide);
        args_.map = {simplex3_map(config_.map3).map, root(config_.root).root};
        args_.grid = args_.map.grid(args_.tiles);
        acceleration_ = bodies.acceleration;
        gravity_ = gravity;
        choose<Split::kNo>(potential == Potential::kCompute);
        if constexpr (std::is_same_v<Real, float>)
            if (bodies.low) choose<Split::kYes>(potential == Potential::kCompute);
        // In double the tables exceed the default limit of shared memory per block.
        check(
            cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes_)),
            "triplet_tiles");
        if (sums_.size() < bodies.count) sums_ = {}, sums_ = DeviceBuffer<Vec4d>{bodies.count};
        args_.sums = sums_.data();
        check(cudaMemsetAsync(sums_.data(), 0, bodies.count * sizeof(Vec4d), queue.stream), "clearing");
        if (!ranks_)
            part_ = {0, args_.grid.count()};
        else if (part_tiles_ != args_.tiles)
            part_ = part_of_grid(args_.map, args_.grid, args_.tiles, tetrahedral(args_.tiles), *ranks_);
        part_tiles_ = args_.tiles;
        return part_.count() + (ranks_ ? 1 : 0);
    }

    bool share(Ranks& ranks) override {
        ranks_ = &ranks;
        return true;
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        constexpr std::uint64_t most = 1u << 30;  // blocks per launch
        const std::uint64_t own = std::min(last, part_.count());
        for (std::uint64_t at = first; at < own; at += most) {
            args_.first_item = part_.first + at;
            launch("triplet_tiles",
                   {dim3(static_cast<unsigned>(std::min(most, own - at))), dim3(kTripletThreads), shared_bytes_},
                   queue.stream, kernel_, args_);
        }
        if (last < part_.count() + (ranks_ ? 1 : 0)) return;
        if (ranks_) sum_own_part(*ranks_, args_.sums, args_.count, queue.stream);
        launch("scale_sums", linear(args_.count), queue.stream, scale_sums<Real>, args_.sums, acceleration_,
               args_.count, gravity_.constant);
        if (ranks_) gather_accelerations(*ranks_, acceleration_, args_.count, args_.count, 1, queue.stream);
    }

    bool replays() const override { return !ranks_; }

    std::string choice() const override {
        return args_.tiles == 0 ? std::string{} : describe_triplet(config_, args_.tiles);
    }
    EngineReport report() const override {
        return {.tile_size = kTripletSide, .map = simplex3_map(config_.map3).id, .root = root(config_.root).id};
    }

private:
    template <Split kSplit>
    void choose(bool potential) {
        kernel_ = potential ? triplet_tiles<Real, true, kSplit> : triplet_tiles<Real, false, kSplit>;
        shared_bytes_ = sizeof(TripletShared<Real, kSplit>);
    }

    const EngineConfig config_;
    Ranks* ranks_ = nullptr;
    RankPart part_;  // this rank's part of the grid's blocks
    std::uint32_t part_tiles_ = 0;
    TripletArgs<Real> args_{};
    void (*kernel_)(TripletArgs<Real>) = nullptr;
    std::size_t shared_bytes_ = 0;
    Vec4<Real>* acceleration_ = nullptr;
    Gravity gravity_;
    DeviceBuffer<Vec4d> sums_;
};

AnyEngine make(const EngineConfig& config) {
    check_triplet(config);
    return make_in_precision<Triplets>(config, config);
}

}  // namespace

EngineEntry cuda_triplet_engine() {
    return {
        .id = "triplet",
        .label = "Triplets (Axilrod-Teller)",
        .doc =
            "Not gravity: the Axilrod-Teller-Muto force on every triple of bodies, by a thread map of the tetrahedron; "
            "pairs in registers, sums per side. N³ work: for thousands of bodies, as in argon-cluster.",
        .backend = Backend::kCuda,
        .tolerance_single = 1e-5,
        .tolerance_double = 1e-13,
        .max_bodies = 32768,
        .law = Law::kAxilrodTeller,
        .capabilities = {Capability::kTripleMap, Capability::kMixed},
        .same_bits = false,
        .make = make};
}

}  // namespace orrery
