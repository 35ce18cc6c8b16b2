// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "core/bodies/make_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/frame_buffer.hpp"
#include "core/cuda/frame_colors.cuh"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/tree_build.cuh"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;
using cuda::ScalarSource;
using cuda::thread_index;

/// target += step · rate, of which w stays.
template <class Real>
__global__ void advance(Vec4<Real>* target, const Vec4<Real>* rate, Real step, std::size_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    Vec4<Real> x = target[i];
    const Vec4<Real> v = rate[i];
    x.x += step * v.x, x.y += step * v.y, x.z += step * v.z;
    target[i] = x;
}

/// out[k] = in[k · count / samples], as sample_indices() has it on the host.
template <class T>
__global__ void gather(const T* in, T* out, std::uint64_t count, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[k] = in[k * count / samples];
}

/// out[k] = in[which[k]]
template <class T>
__global__ void gather_some(const T* in, const std::uint32_t* which, T* out, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[k] = in[which[k]];
}

constexpr unsigned kCentreThreads = 256, kCentreBlocks = 256;

/// Σ m x, Σ m y, Σ m z and Σ m, of a share of the bodies per block, in a fixed order.
template <class Real>
__global__ void weigh(const Vec4<Real>* bodies, std::uint64_t count, Vec4d* out) {
    __shared__ Vec4d shared[kCentreThreads];
    Vec4d sum{};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{kCentreThreads} * kCentreBlocks) {
        const Vec4<Real> body = bodies[i];
        const double m = body.w;
        sum = {sum.x + m * body.x, sum.y + m * body.y, sum.z + m * body.z, sum.w + m};
    }
    shared[threadIdx.x] = sum;
    for (unsigned half = kCentreThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const Vec4d other = shared[threadIdx.x + half];
            Vec4d& own = shared[threadIdx.x];
            own = {own.x + other.x, own.y + other.y, own.z + other.z, own.w + other.w};
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

/// first[0]: the first vector that is not finite. NaN and ∞ alike make a difference with themselves that is not 0.
template <class Real>
__global__ void find_not_finite(const Vec4<Real>* vectors, std::size_t count, unsigned long long* first) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4<Real> v = vectors[i];
    if (!((v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0)) atomicMin(first, static_cast<unsigned long long>(i));
}

constexpr unsigned kReferenceThreads = 256;

/// The reference of BodySystem::force_error: one block per sampled body, in double, by the plainest formula. The
/// samples are spread evenly from body `first` on.
template <class Real>
__global__ void reference_rows(const Vec4<Real>* bodies, std::uint64_t count, std::uint64_t first,
                               std::uint64_t samples, double softening2, double G, Vec4d* out) {
    __shared__ double shared[kReferenceThreads][3];
    const std::uint64_t i = first + blockIdx.x * count / samples;
    const Vec4<Real> self = bodies[i];
    double x = 0, y = 0, z = 0;
    for (std::uint64_t j = threadIdx.x; j < count; j += kReferenceThreads) {
        const Vec4<Real> other = bodies[j];
        const double dx = double(other.x) - self.x, dy = double(other.y) - self.y, dz = double(other.z) - self.z;
        const double r2 = dx * dx + dy * dy + dz * dz + softening2;
        if (j == i || r2 <= kTouching<double>) continue;
        const double s = other.w / (r2 * sqrt(r2));
        x += s * dx, y += s * dy, z += s * dz;
    }
    shared[threadIdx.x][0] = x, shared[threadIdx.x][1] = y, shared[threadIdx.x][2] = z;
    for (unsigned half = kReferenceThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int c = 0; c < 3; ++c) shared[threadIdx.x][c] += shared[threadIdx.x + half][c];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = {G * shared[0][0], G * shared[0][1], G * shared[0][2], 0};
}

/// The same of triplets.
template <class Real>
__global__ void reference_triplets(const Vec4<Real>* bodies, std::uint64_t count, std::uint64_t first,
                                   std::uint64_t samples, double softening2, double nu, Vec4d* out) {
    __shared__ Vec4d shared[kReferenceThreads];
    const std::uint64_t i = first + blockIdx.x * count / samples;
    const auto body = [&](std::uint64_t at) {
        const Vec4<Real> b = bodies[at];
        return Vec4d{double(b.x), double(b.y), double(b.z), double(b.w)};
    };
    const Vec3d self = xyz(body(i));
    Vec4d sum{};
    for (std::uint64_t j = 0; j < count; ++j)
        for (std::uint64_t k = j + 1 + threadIdx.x; k < count; k += kReferenceThreads)
            if (j != i && k != i) add_triplet_push(sum, self, body(j), body(k), softening2);
    shared[threadIdx.x] = sum;
    for (unsigned half = kReferenceThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const Vec4d other = shared[threadIdx.x + half];
            Vec4d& own = shared[threadIdx.x];
            own = {own.x + other.x, own.y + other.y, own.z + other.z, own.w + other.w};
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = {nu * shared[0].x, nu * shared[0].y, nu * shared[0].z, nu * shared[0].w};
}

/// Interactions that a measurement of the error may take: a matter of a second, which only triplets come to.
constexpr double kReferenceCost = 3e10;

template <class Real>
class DeviceSystem final : public BodySystem {
public:
    DeviceSystem(std::unique_ptr<Engine<Device, Real>> engine, Law law, const Bodies& bodies)
        : engine_{std::move(engine)},
          law_{law},
          position_mass_{bodies.size()},
          velocity_{bodies.size()},
          acceleration_{bodies.size()},
          not_finite_{2},
          labels_{.names = bodies.names, .species = bodies.species, .ids = bodies.ids} {
        std::vector<Vec4<Real>> x(count()), v(count());
        for (std::size_t i = 0; i < count(); ++i) {
            x[i] = convert<Real>(bodies.position_mass[i]);
            const Vec3d& from = bodies.velocity[i];
            v[i] = {Real(from.x), Real(from.y), Real(from.z), 0};
        }
        cuda::upload<Vec4<Real>>(x, position_mass_, stream_.get());
        cuda::upload<Vec4<Real>>(v, velocity_, stream_.get());
        cuda::check(cudaMemsetAsync(acceleration_.data(), 0, count() * sizeof(Vec4<Real>), stream_.get()), "clearing");
        stream_.wait();
    }
    ~DeviceSystem() override { cudaStreamSynchronize(stream_.get()); }

    std::size_t count() const override { return position_mass_.size(); }

    void drift(double dt) override {
        launch("drift", linear(count()), stream_.get(), advance<Real>, position_mass_.data(), velocity_.data(), dt,
               count());
    }
    void kick(double dt) override {
        launch("kick", linear(count()), stream_.get(), advance<Real>, velocity_.data(), acceleration_.data(), dt,
               count());
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        return engine_->begin({position_mass_.data(), acceleration_.data(), count()}, gravity, potential, queue());
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override { engine_->run(first, last, queue()); }
    void wait() override { stream_.wait(); }
    void start_clock() override { start_.record(stream_.get()); }
    double stop_clock() override {
        stop_.record(stream_.get());
        return stop_.seconds_since(start_);
    }

    Bodies bodies() const override {
        Bodies copy = labels_;
        for (const Vec4<Real>& x : host(position_mass_)) copy.position_mass.push_back(convert<double>(x));
        for (const Vec4<Real>& v : host(velocity_)) copy.velocity.push_back(xyz(convert<double>(v)));
        return copy;
    }

    const Bodies& labels() const override { return labels_; }
    std::vector<Vec4d> accelerations() const override { return in_double(host(acceleration_)); }

    ForceError force_error(const Gravity& gravity, std::size_t samples) const override {
        samples = affordable_samples(law_, std::min(samples, count()), count(), kReferenceCost);
        const DeviceBuffer<Vec4<Real>> found{samples};
        const DeviceBuffer<Vec4d> reference{samples};
        launch("gather", linear(samples), stream_.get(), gather<Vec4<Real>>, acceleration_.data(), found.data(),
               count(), samples);
        launch_reference(gravity, 0, reference);
        return compare(in_double(host(found)), host(reference));
    }

    Vec3d reference(const Gravity& gravity, std::size_t body) const override {
        const DeviceBuffer<Vec4d> one{1};
        launch_reference(gravity, body, one);
        return xyz(host(one)[0]);
    }

    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples(which.size());
        if (which.empty()) return samples;
        const DeviceBuffer<std::uint32_t> places{which.size()};
        cuda::upload<std::uint32_t>(which, places, stream_.get());
        const auto x = some(position_mass_, places), v = some(velocity_, places), a = some(acceleration_, places);
        for (std::size_t k = 0; k < which.size(); ++k) samples[k] = {x[k], xyz(v[k]), xyz(a[k])};
        return samples;
    }

    Vec3d mass_centre() const override {
        const DeviceBuffer<Vec4d> shares{kCentreBlocks};
        launch("weigh", {dim3(kCentreBlocks), dim3(kCentreThreads)}, stream_.get(), weigh<Real>, position_mass_.data(),
               count(), shares.data());
        Vec4d sum{};
        for (const Vec4d& s : host(shares)) sum = {sum.x + s.x, sum.y + s.y, sum.z + s.z, sum.w + s.w};
        return (1 / sum.w) * xyz(sum);
    }

    BodyState save() const override { return pack<Real>(host(position_mass_), host(velocity_), host(acceleration_)); }
    void restore(const BodyState& state) override {
        const BodyVectors<Real> vectors = unpack<Real>(state);
        cuda::upload<Vec4<Real>>(vectors.position_mass, position_mass_, stream_.get());
        cuda::upload<Vec4<Real>>(vectors.velocity, velocity_, stream_.get());
        cuda::upload<Vec4<Real>>(vectors.acceleration, acceleration_, stream_.get());
        stream_.wait();
    }

    void recall(const Gravity& gravity) override {
        engine_->recall({position_mass_.data(), acceleration_.data(), count()}, gravity, queue());
    }

    std::optional<std::size_t> first_not_finite() const override {
        cuda::check(cudaMemsetAsync(not_finite_.data(), 0xff, 2 * sizeof(unsigned long long), stream_.get()),
                    "clearing");
        unsigned long long* first = not_finite_.data();
        for (const DeviceBuffer<Vec4<Real>>* state : {&position_mass_, &velocity_})
            launch("find_not_finite", linear(count()), stream_.get(), find_not_finite<Real>, state->data(), count(),
                   first++);
        for (const unsigned long long body : host(not_finite_))
            if (body != std::numeric_limits<unsigned long long>::max()) return body;
        return std::nullopt;
    }

    void fill(Frame& frame, const Coloring& coloring) const override {
        frame.host.clear();
        frame.count = count();
        if (!frame.device || frame.device->size() != count())
            frame.device = std::make_shared<DeviceFrameBuffer>(count());
        ScalarSource<Real> scalar{
            coloring.by, position_mass_.data(), velocity_.data(), acceleration_.data(), nullptr, 0};
        frame.no_color = prepare(scalar, coloring);
        launch("make_vertices", linear(count()), stream_.get(), cuda::make_vertices<Real>, scalar,
               frame.no_color.empty(), frame.device->data(), count());
        const std::size_t samples = std::min(count(), kExtentSample);
        if (sample_.size() != samples) sample_ = DeviceBuffer<Vec4f>{samples};
        launch("gather", linear(samples), stream_.get(), gather<Vec4f>, frame.device->data(), sample_.data(), count(),
               samples);
        frame.extent = extent_of(host(sample_), coloring.by);  // waits: the frame is whole when it is published
    }

    std::string engine_choice() const override { return engine_->choice(); }
    EngineReport engine_report() const override { return engine_->report(); }
    std::vector<TreeCell> engine_cells(std::size_t most) const override { return engine_->cells(most); }

private:
    Queue<Device> queue() const { return {stream_.get()}; }

    /// Into `out`, of as many bodies as it holds, spread evenly from `first` on.
    void launch_reference(const Gravity& gravity, std::size_t first, const DeviceBuffer<Vec4d>& out) const {
        launch("reference", {dim3(static_cast<unsigned>(out.size())), dim3(kReferenceThreads)}, stream_.get(),
               law_ == Law::kGravity ? reference_rows<Real> : reference_triplets<Real>, position_mass_.data(), count(),
               first, out.size(), gravity.softening * gravity.softening, gravity.constant, out.data());
    }

    std::vector<Vec4d> some(const DeviceBuffer<Vec4<Real>>& of, const DeviceBuffer<std::uint32_t>& places) const {
        const DeviceBuffer<Vec4<Real>> found{places.size()};
        launch("gather_some", linear(places.size()), stream_.get(), gather_some<Vec4<Real>>, of.data(), places.data(),
               found.data(), places.size());
        return in_double(host(found));
    }

    /// Enqueues what the scalars are made of; returns why there are none.
    std::string prepare(ScalarSource<Real>& scalar, const Coloring& coloring) const {
        if (needs_forces(coloring.by) && !coloring.forces) return std::string{kNoForces};
        if (coloring.by == ColorBy::kTile) {
            const int side = engine_->report().tile_side;
            scalar.side = static_cast<std::uint32_t>(side);
            return side > 0 ? std::string{} : std::string{kNoTiles};
        }
        if (coloring.by == ColorBy::kSpecies) return prepare_species(scalar);
        const bool leaf = coloring.by == ColorBy::kLeaf, density = coloring.by == ColorBy::kDensity;
        if (!leaf && !density && coloring.by != ColorBy::kLevel) return {};
        if (marks_.size() != count()) marks_ = DeviceBuffer<float>{count()};
        scalar.marks = marks_.data();
        if (density) return enqueue_densities(), std::string{};
        const bool tree = engine_->marks(leaf ? Mark::kLeaf : Mark::kLevel, marks_.data(), queue());
        return tree ? std::string{} : std::string{kNoTree};
    }

    /// They never change: they go to the device once.
    std::string prepare_species(ScalarSource<Real>& scalar) const {
        if (labels_.species.empty()) return std::string{kNoSpecies};
        if (species_.size() != count()) {
            std::vector<float> numbers;
            numbers.reserve(count());
            for (const Species species : labels_.species) numbers.push_back(static_cast<float>(species));
            species_ = DeviceBuffer<float>{count()};
            cuda::upload<float>(numbers, species_, stream_.get());
            stream_.wait();
        }
        scalar.marks = species_.data();
        return {};
    }

    void enqueue_densities() const {
        curve_.sort(position_mass_.data(), count(), 0, {16, 64, 2048}, stream_.get());
        launch("find_densities", linear(count()), stream_.get(), cuda::find_densities<Real>, position_mass_.data(),
               curve_.order(), static_cast<std::uint32_t>(count()), marks_.data());
    }

    template <class T>
    std::vector<T> host(const DeviceBuffer<T>& device) const {
        std::vector<T> copy(device.size());
        cuda::download<T>(device, copy, stream_.get());
        stream_.wait();
        return copy;
    }
    static std::vector<Vec4d> in_double(const std::vector<Vec4<Real>>& values) {
        std::vector<Vec4d> copy;
        copy.reserve(values.size());
        for (const Vec4<Real>& v : values) copy.push_back(convert<double>(v));
        return copy;
    }

    cuda::Stream stream_;
    cuda::Event start_, stop_;
    std::unique_ptr<Engine<Device, Real>> engine_;
    Law law_;
    DeviceBuffer<Vec4<Real>> position_mass_, velocity_, acceleration_;
    DeviceBuffer<unsigned long long> not_finite_;
    mutable DeviceBuffer<Vec4f> sample_;
    mutable DeviceBuffer<float> marks_;      // of leaf, level or density
    mutable DeviceBuffer<float> species_;    // once somebody has looked at them
    mutable cuda::TreeBuilder<Real> curve_;  // of densities: its order alone
    Bodies labels_;                          // names, species and ids alone
};

template <class Real>
std::unique_ptr<BodySystem> make(std::unique_ptr<Engine<Device, Real>> engine, Law law, const Bodies& bodies) {
    // State, accelerations, the least partial sums of a tiled engine, and three frames of vertices.
    cuda::require_memory(bodies.size(), bodies.size() * (4 * sizeof(Vec4<Real>) + 3 * sizeof(Vec4f)));
    return std::make_unique<DeviceSystem<Real>>(std::move(engine), law, bodies);
}

}  // namespace

std::unique_ptr<BodySystem> make_device_system(AnyEngine engine, Law law, const Bodies& bodies) {
    if (auto* single = std::get_if<std::unique_ptr<Engine<Device, float>>>(&engine))
        return make(std::move(*single), law, bodies);
    return make(std::move(std::get<std::unique_ptr<Engine<Device, double>>>(engine)), law, bodies);
}

}  // namespace orrery
