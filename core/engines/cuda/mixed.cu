// SPDX-License-Identifier: MIT
// Mixed precision on the device: splits double positions into two floats about the middle of all bodies for a
// single-precision engine.
#include "core/engines/mixed.hpp"

#include <cfloat>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/engines/engine.hpp"

namespace orrery::cuda {
namespace {

constexpr unsigned kThreads = 256, kBlocks = 256;  // for the bounding box

/// Bounding box of bodies.
struct Corners {
    double low[3], high[3];
};

__device__ Corners joined(const Corners& a, const Corners& b) {
    Corners c;
    for (int i = 0; i < 3; ++i) c.low[i] = min(a.low[i], b.low[i]), c.high[i] = max(a.high[i], b.high[i]);
    return c;
}

/// The union of all threads' boxes, in thread 0.
__device__ Corners of_block(Corners mine) {
    __shared__ Corners shared[kThreads];
    shared[threadIdx.x] = mine;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) mine = shared[0];
    return mine;
}

__global__ void find_corners(const Vec4d* bodies, std::uint64_t count, Corners* out) {
    Corners box{{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{kThreads} * kBlocks) {
        const Vec4d b = bodies[i];
        if (isfinite(b.x + b.y + b.z)) box = joined(box, {{b.x, b.y, b.z}, {b.x, b.y, b.z}});
    }
    box = of_block(box);
    if (threadIdx.x == 0) out[blockIdx.x] = box;
}

__global__ void find_middle(const Corners* corners, Vec3d* middle) {
    const Corners box = of_block(corners[threadIdx.x]);
    if (threadIdx.x != 0) return;
    const auto between = [&](int i) {
        return box.low[i] <= box.high[i] ? 0.5 * box.low[i] + 0.5 * box.high[i] : 0.0;  // no body is finite
    };
    *middle = {between(0), between(1), between(2)};
}

__global__ void split(const Vec4d* bodies, std::uint64_t count, const Vec3d* middle, Vec4f* high, Vec4f* low) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4d b = bodies[i];
    const double x = b.x - middle->x, y = b.y - middle->y, z = b.z - middle->z;
    const Vec4f h{float(x), float(y), float(z), float(b.w)};
    high[i] = h;
    low[i] = {float(x - h.x), float(y - h.y), float(z - h.z), 0};
}

template <class To, class From>
__global__ void convert_all(const Vec4<From>* from, std::uint64_t count, Vec4<To>* to) {
    const std::uint64_t i = thread_index();
    if (i < count) to[i] = convert<To>(from[i]);
}

class Mixed final : public Engine<Device, double>,
                    public DuePower<Device, double>,
                    public TreePower<Device>,
                    public HistoryPower<Device, double> {
public:
    explicit Mixed(std::unique_ptr<Engine<Device, float>> single) : single_{std::move(single)} {}

    std::uint64_t begin(BodyView<Device, double> bodies, const Gravity& gravity, Potential potential,
                        Queue<Device> queue) override {
        split_all(bodies, queue);
        return items_ = single_->begin(view(), gravity, potential, queue);
    }
    /// run() converts the accelerations of all bodies; for those not due, the floats of their last evaluation are kept.
    std::uint64_t begin_due(BodyView<Device, double> bodies, DueView<Device> due, const Gravity& gravity,
                            Potential potential, Queue<Device> queue) override {
        split_all(bodies, queue);
        return items_ = single_->due()->begin_due(view(), due, gravity, potential, queue);
    }
    DuePower<Device, double>* due() override { return single_->due() ? this : nullptr; }

    void run(std::uint64_t first, std::uint64_t last, Queue<Device> queue) override {
        single_->run(first, last, queue);
        if (last == items_)
            launch("widen", linear(bodies_.count), queue.stream, convert_all<double, float>, acceleration_.data(),
                   bodies_.count, bodies_.acceleration);
    }

    /// Accelerations were computed as floats, so converting them back is exact.
    void restore_history(BodyView<Device, double> bodies, const Gravity& gravity, std::uint64_t key,
                         Queue<Device> queue) override {
        reserve(bodies);
        launch("narrow", linear(bodies.count), queue.stream, convert_all<float, double>, bodies.acceleration,
               bodies.count, acceleration_.data());
        single_->history()->restore_history(view(), gravity, key, queue);
    }
    bool replays() const override { return single_->replays(); }
    bool share(Ranks& ranks) override { return single_->share(ranks); }
    void forget() override { single_->history()->forget(); }
    std::uint64_t history_key() const override { return single_->history()->history_key(); }
    HistoryPower<Device, double>* history() override { return single_->history() ? this : nullptr; }
    const TreePower<Device>* tree() const override { return single_->tree() ? this : nullptr; }
    AcceptancePower* acceptance() override { return single_->acceptance(); }

    std::string choice() const override { return single_->choice(); }
    EngineReport report() const override { return single_->report(); }
    std::vector<TreeCell> cells(std::size_t most) const override {
        std::vector<TreeCell> cells = single_->tree()->cells(most);
        if (cells.empty()) return cells;
        Vec3d middle;
        download<Vec3d>(middle_, std::span{&middle, 1}, stream_);
        check(cudaStreamSynchronize(stream_), "waiting for the middle of the bodies");
        const Vec3f shift{static_cast<float>(middle.x), static_cast<float>(middle.y), static_cast<float>(middle.z)};
        for (TreeCell& cell : cells) cell.low = cell.low + shift, cell.high = cell.high + shift;
        return cells;
    }
    bool labels(TreeLabel label, float* out, Queue<Device> queue) const override {
        return single_->tree()->labels(label, out, queue);
    }

private:
    void split_all(BodyView<Device, double> bodies, Queue<Device> queue) {
        reserve(bodies);
        stream_ = queue.stream;
        launch("find_corners", {dim3(kBlocks), dim3(kThreads)}, stream_, find_corners, bodies.position_mass,
               bodies.count, corners_.data());
        launch("find_middle", {dim3(1), dim3(kThreads)}, stream_, find_middle, corners_.data(), middle_.data());
        launch("split", linear(bodies.count), stream_, split, bodies.position_mass, bodies.count, middle_.data(),
               high_.data(), low_.data());
    }

    void reserve(BodyView<Device, double> bodies) {
        bodies_ = bodies;
        if (corners_.size() == 0) corners_ = DeviceBuffer<Corners>{kBlocks}, middle_ = DeviceBuffer<Vec3d>{1};
        if (high_.size() == bodies.count) return;
        high_ = {}, low_ = {}, acceleration_ = {};
        require_memory(bodies.count, 3 * bodies.count * sizeof(Vec4f));
        high_ = DeviceBuffer<Vec4f>{bodies.count};
        low_ = DeviceBuffer<Vec4f>{bodies.count};
        acceleration_ = DeviceBuffer<Vec4f>{bodies.count};
    }
    BodyView<Device, float> view() { return {high_.data(), acceleration_.data(), bodies_.count, low_.data()}; }

    std::unique_ptr<Engine<Device, float>> single_;
    BodyView<Device, double> bodies_{};
    cudaStream_t stream_ = nullptr;
    DeviceBuffer<Corners> corners_;
    DeviceBuffer<Vec3d> middle_;
    DeviceBuffer<Vec4f> high_, low_, acceleration_;
    std::uint64_t items_ = 0;
};

}  // namespace
}  // namespace orrery::cuda

std::unique_ptr<orrery::Engine<orrery::Device, double>> orrery::make_mixed(
    std::unique_ptr<Engine<Device, float>> single, const EngineConfig&) {
    return std::make_unique<cuda::Mixed>(std::move(single));
}
