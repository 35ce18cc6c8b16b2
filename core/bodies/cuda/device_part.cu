// SPDX-License-Identifier: MIT
// A rank's own bodies in device memory.
#include <algorithm>
#include <cmath>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <utility>

#include "core/bodies/body_source.hpp"
#include "core/bodies/cuda/body_kernels.cuh"
#include "core/bodies/cuda/device_stopwatch.hpp"
#include "core/bodies/cuda/domain_kernels.cuh"
#include "core/bodies/cuda/reference.cuh"
#include "core/bodies/cuda/step_queue.cuh"
#include "core/bodies/owned/owned_system.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;

template <class Real>
class DevicePart final : public OwnedSystem<Real> {
    using Base = OwnedSystem<Real>;
    using typename Base::ForceSums;
    using typename Base::Sums;

public:
    DevicePart(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry, const BodySource& bodies,
               Ranks& ranks)
        : Base{std::move(engine), config, entry, bodies, ranks}, devices_{device_ranks(ranks)} {
        this->begin_with(bodies);
    }
    ~DevicePart() override { cudaStreamSynchronize(stream_.get()); }

    void move(std::span<const Move> moves) override {
        steps_.move(moves, {position_mass_.data(), velocity_.data(), acceleration_.data(), count_}, stream_.get());
    }
    void wait() override { stream_.wait(); }
    Stopwatch& clock() override { return stopwatch_; }

private:
    PartRows<Real> rows() const override {
        return {host(position_mass_, count_), host(velocity_, count_), host(acceleration_, count_), {}};
    }
    void set_rows(PartRows<Real> rows) override {
        count_ = rows.count(), imported_ = 0;
        if (room_ < count_) {
            position_mass_ = {}, acceleration_ = {};
            reserve(with_margin(count_));
        }
        if (velocity_.size() < count_) velocity_ = {}, velocity_ = DeviceBuffer<Vec4<Real>>{count_ + count_ / 64};
        cuda::upload<Vec4<Real>>(rows.position_mass, position_mass_, stream_.get());
        cuda::upload<Vec4<Real>>(rows.velocity, velocity_, stream_.get());
        if (rows.acceleration.empty())
            cuda::check(cudaMemsetAsync(acceleration_.data(), 0, count_ * sizeof(Vec4<Real>), stream_.get()),
                        "clearing");
        else
            cuda::upload<Vec4<Real>>(rows.acceleration, acceleration_, stream_.get());
        stream_.wait();
    }

    double describe(const CellLevels& levels, double heavy_from) override {
        levels_ = levels;
        grow(cells_, levels.all());
        launch("fill_cells_of_bodies", linear(levels.cells(0)), stream_.get(), cuda::fill_cells_of_bodies<Real>, levels,
               position_mass_.data(), acceleration_.data(), heavy_from, cells_.data());
        for (int level = 1; level < levels.count; ++level)
            launch("fill_cells_of_cells", linear(levels.cells(level)), stream_.get(), cuda::fill_cells_of_cells<Real>,
                   levels, level, cells_.data());
        DomainCell<Real> root{};
        cuda::check(cudaMemcpyAsync(&root, cells_.data() + levels.all() - 1, sizeof root, cudaMemcpyDeviceToHost,
                                    stream_.get()),
                    "the root");
        stream_.wait();
        return double(root.mean);
    }
    std::vector<DomainBox> boxes_of(int level, double mean_acceleration) const override {
        const std::uint64_t count = levels_.cells(level);
        grow(boxes_, count);
        launch("describe_boxes", linear(count), stream_.get(), cuda::describe_boxes<Real>,
               cells_.data() + levels_.first[level], count, mean_acceleration, boxes_.data());
        std::vector<DomainBox> boxes(count);
        cuda::download<DomainBox>(boxes_, boxes, stream_.get());
        stream_.wait();
        return boxes;
    }

    std::vector<std::uint64_t> select(std::span<const DomainBox> boxes, std::span<const std::size_t> ends,
                                      const PointRule& rule) override {
        grow(boxes_, boxes.size());
        cuda::upload<DomainBox>(boxes, boxes_, stream_.get());
        std::vector<std::uint64_t> numbers;
        std::uint64_t sent = 0;
        for (std::size_t r = 0; r < ends.size(); ++r) {
            const std::size_t first = r == 0 ? 0 : ends[r - 1];
            const bool own = static_cast<int>(r) == this->ranks().rank();
            numbers.push_back(own ? 0 : select_for(boxes_.data() + first, ends[r] - first, rule, sent));
            sent += numbers.back();
        }
        stream_.wait();  // `boxes` was uploaded
        return numbers;
    }

    /// Appends the sources for one rank to those sent; returns their number.
    std::uint64_t select_for(const DomainBox* boxes, std::uint64_t box_count, const PointRule& rule,
                             std::uint64_t sent) {
        const std::uint64_t all = levels_.all();
        grow(parents_, (box_count + 31) / 32);
        launch("enclose_boxes", linear((box_count + 31) / 32), stream_.get(), cuda::enclose_boxes, boxes, box_count,
               parents_.data());
        grow(uses_, all), grow(numbers_, all + 1), grow(before_, all + 1);
        cuda::check(cudaMemsetAsync(numbers_.data() + all, 0, sizeof(std::uint32_t), stream_.get()), "clearing");
        for (int level = levels_.count - 1; level >= 0; --level)
            launch("mark_cells", linear(32 * ((levels_.cells(level) + kCellChildren - 1) / kCellChildren)),
                   stream_.get(), cuda::mark_cells<Real>, levels_, level, cells_.data(), position_mass_.data(), boxes,
                   parents_.data(), box_count, rule, uses_.data(), numbers_.data());
        std::size_t bytes = 0;
        const auto scan = [&](void* memory) {
            cuda::check(cub::DeviceScan::ExclusiveSum(memory, bytes, numbers_.data(), before_.data(),
                                                      static_cast<int>(all + 1), stream_.get()),
                        "adding up sources");
        };
        scan(nullptr);
        grow(scan_, bytes);
        scan(scan_.data());
        std::uint32_t number = 0;
        cuda::check(
            cudaMemcpyAsync(&number, before_.data() + all, sizeof number, cudaMemcpyDeviceToHost, stream_.get()),
            "the number of sources");
        stream_.wait();
        if (sent_.size() < sent + number) {
            DeviceBuffer<DomainSource<Real>> larger{with_margin(sent + number)};
            copy(sent_.data(), larger.data(), sent);
            stream_.wait();
            sent_ = std::move(larger);
        }
        launch("write_sources", linear(all), stream_.get(), cuda::write_sources<Real>, all, levels_, cells_.data(),
               position_mass_.data(), acceleration_.data(), uses_.data(), before_.data(), sent_.data() + sent);
        return number;
    }

    void exchange_sources(std::span<const std::uint64_t> numbers) override {
        const auto ranks = static_cast<std::size_t>(this->ranks().count()),
                   own = static_cast<std::size_t>(this->ranks().rank());
        std::vector<std::size_t> bytes;
        imported_ = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            bytes.push_back(numbers[i] * sizeof(DomainSource<Real>));
            if (i % ranks == own) imported_ += numbers[i];
        }
        grow(received_, imported_);
        devices_.exchange(reinterpret_cast<const std::byte*>(sent_.data()),
                          reinterpret_cast<std::byte*>(received_.data()), bytes, stream_.get());
        if (room_ < count_ + imported_) reserve(with_margin(count_ + imported_));
        launch("read_sources", linear(imported_), stream_.get(), cuda::read_sources<Real>, received_.data(), imported_,
               position_mass_.data() + count_, acceleration_.data() + count_);
    }

    std::uint64_t begin_engine(const Gravity& gravity, Potential potential) override {
        return engine().begin(view(), gravity, potential, queue());
    }
    void run_engine(std::uint64_t first, std::uint64_t last) override { engine().run(first, last, queue()); }
    void restore_engine(const Gravity& gravity, std::uint64_t key) override {
        if (auto* history = engine().history()) history->restore_history(view(), gravity, key, queue());
    }

    ForceSums sums(Sums which) const override {
        ForceSums all;
        launch("add_forces", {dim3(cuda::kForceBlocks), dim3(cuda::kCentreThreads)}, stream_.get(),
               cuda::add_forces_of_many<Real>, position_mass_.data(), acceleration_.data(), count_, shares_.data());
        const Vec4d forces = sum_of_shares(cuda::kForceBlocks);
        all.force = xyz(forces), all.size = forces.w;
        if (which == Sums::kForces) return all;
        launch("weighted_positions", kShares, stream_.get(), cuda::weighted_positions<Real>, position_mass_.data(),
               count_, shares_.data());
        const Vec4d moments = sum_of_shares(cuda::kCentreBlocks);
        all.moment = xyz(moments), all.mass = moments.w;
        launch("add_potentials", kShares, stream_.get(), cuda::add_potentials<Real>, position_mass_.data(),
               acceleration_.data(), count_, shares_.data());
        all.potential = sum_of_shares(cuda::kCentreBlocks).w;
        return all;
    }
    void add_to_accelerations(Vec3d more) override {
        launch("add_to_all", linear(count_), stream_.get(), cuda::add_to_all<Real>, acceleration_.data(), count_,
               Vec3<Real>{Real(more.x), Real(more.y), Real(more.z)});
    }

    std::vector<BodySample> own_samples(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples(which.size());
        if (which.empty()) return samples;
        DeviceBuffer<std::uint32_t> places{which.size()};
        cuda::upload<std::uint32_t>(which, places, stream_.get());
        const auto column = [&](const DeviceBuffer<Vec4<Real>>& of) {
            DeviceBuffer<Vec4<Real>> found{which.size()};
            launch("gather_some", linear(which.size()), stream_.get(), cuda::gather_some<Vec4<Real>>, of.data(),
                   places.data(), found.data(), which.size());
            return host(found, which.size());
        };
        const auto x = column(position_mass_), v = column(velocity_), a = column(acceleration_);
        for (std::size_t k = 0; k < which.size(); ++k)
            samples[k] = {convert<double>(x[k]), xyz(convert<double>(v[k])), xyz(convert<double>(a[k]))};
        return samples;
    }

    std::vector<Vec4d> own_references(const Gravity& gravity, std::span<const Vec4d> at,
                                      std::span<const std::optional<std::uint32_t>> own) const override {
        if (at.empty()) return {};
        // Positions of other ranks, without mass, follow the own bodies, in place of sources.
        std::vector<Vec4<Real>> others;
        std::vector<std::uint32_t> which;
        for (std::size_t k = 0; k < at.size(); ++k) {
            which.push_back(own[k].value_or(static_cast<std::uint32_t>(count_ + others.size())));
            if (!own[k]) others.push_back({Real(at[k].x), Real(at[k].y), Real(at[k].z), 0});
        }
        const std::uint64_t count = count_ + others.size(), samples = at.size(),
                            shares =
                                std::clamp<std::uint64_t>(count / cuda::kReferenceShare, 1, cuda::kMostReferenceShares);
        if (room_ < count) reserve(count);
        cuda::check(cudaMemcpyAsync(position_mass_.data() + count_, others.data(), others.size() * sizeof(Vec4<Real>),
                                    cudaMemcpyHostToDevice, stream_.get()),
                    "upload");
        DeviceBuffer<std::uint32_t> places{samples};
        cuda::upload<std::uint32_t>(which, places, stream_.get());
        DeviceBuffer<Vec4d> parts{shares * samples};
        launch("reference",
               {dim3(static_cast<unsigned>(samples), static_cast<unsigned>(shares)), dim3(cuda::kReferenceThreads)},
               stream_.get(), cuda::reference_rows<Real>, position_mass_.data(), count, places.data(), samples,
               gravity.softening * gravity.softening, gravity.constant, parts.data());
        const std::vector<Vec4d> found = host(parts, shares * samples);
        std::vector<Vec4d> all(samples);
        for (std::size_t k = 0; k < found.size(); ++k) {
            Vec4d& sum = all[k % samples];
            sum = {sum.x + found[k].x, sum.y + found[k].y, sum.z + found[k].z, 0};
        }
        return all;
    }

    std::optional<std::uint32_t> first_own_not_finite() const override {
        cuda::check(cudaMemsetAsync(not_finite_.data(), 0xff, 2 * sizeof(unsigned long long), stream_.get()),
                    "clearing");
        unsigned long long* first = not_finite_.data();
        for (const Vec4<Real>* state : {std::as_const(position_mass_).data(), std::as_const(velocity_).data()})
            launch("find_not_finite", linear(count_), stream_.get(), cuda::find_not_finite<Real>, state, count_,
                   first++);
        for (const unsigned long long body : host(not_finite_, 2))
            if (body != std::numeric_limits<unsigned long long>::max()) return static_cast<std::uint32_t>(body);
        return std::nullopt;
    }

    /// Elements to reserve for `count`, which may grow.
    static std::uint64_t with_margin(std::uint64_t count) {
        return count + std::min(count / 8, count / 32 + (std::uint64_t{1} << 21));
    }
    /// Makes room for the own bodies and sources; keeps the own bodies.
    void reserve(std::uint64_t room) const {
        for (DeviceBuffer<Vec4<Real>>* column : {&position_mass_, &acceleration_}) {
            DeviceBuffer<Vec4<Real>> larger{room};
            copy(column->data(), larger.data(), std::min<std::uint64_t>(count_, column->size()));
            stream_.wait();
            *column = std::move(larger);
        }
        room_ = room;
    }
    template <class T>
    void copy(const T* from, T* to, std::uint64_t count) const {
        if (count == 0) return;
        cuda::check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream_.get()), "a copy");
    }
    template <class T>
    static void grow(DeviceBuffer<T>& buffer, std::uint64_t count) {
        if (buffer.size() < count) buffer = {}, buffer = DeviceBuffer<T>{with_margin(count)};
    }
    template <class T>
    std::vector<T> host(const DeviceBuffer<T>& column, std::size_t count) const {
        std::vector<T> rows(count);
        cuda::download<T>(column, rows, stream_.get());
        stream_.wait();
        return rows;
    }
    Vec4d sum_of_shares(std::size_t blocks) const {
        Vec4d sum{};
        for (const Vec4d& s : host(shares_, blocks)) sum = {sum.x + s.x, sum.y + s.y, sum.z + s.z, sum.w + s.w};
        return sum;
    }
    Engine<Device, Real>& engine() const { return EngineSystem::engine<Device, Real>(); }
    BodyView<Device, Real> view() {
        return {
            .position_mass = position_mass_.data(), .acceleration = acceleration_.data(), .count = count_ + imported_};
    }
    Queue<Device> queue() const { return {stream_.get()}; }

    static inline const cuda::Shape kShares{dim3(cuda::kCentreBlocks), dim3(cuda::kCentreThreads)};

    DeviceRanks& devices_;
    cuda::Stream stream_;
    DeviceStopwatch stopwatch_{stream_};
    std::uint64_t count_ = 0, imported_ = 0;                         // own bodies; sources that follow them
    mutable std::uint64_t room_ = 0;                                 // of the next two
    mutable DeviceBuffer<Vec4<Real>> position_mass_, acceleration_;  // of bodies and sources
    DeviceBuffer<Vec4<Real>> velocity_;
    CellLevels levels_;
    DeviceBuffer<DomainCell<Real>> cells_;
    mutable DeviceBuffer<DomainBox> boxes_;
    DeviceBuffer<DomainBox> parents_;  // boxes around 32 of them
    DeviceBuffer<cuda::CellUse> uses_;
    DeviceBuffer<std::uint32_t> numbers_, before_;  // sources of each cell, and of the cells before it
    DeviceBuffer<std::uint8_t> scan_;
    DeviceBuffer<DomainSource<Real>> sent_, received_;
    cuda::StepQueue<Real> steps_;
    mutable DeviceBuffer<unsigned long long> not_finite_{2};
    mutable DeviceBuffer<Vec4d> shares_{cuda::kForceBlocks};  // of sums over the own bodies
};

}  // namespace

std::unique_ptr<BodySystem> make_owned_device_system(AnyEngine engine, const EngineConfig& config,
                                                     const EngineEntry& entry, const BodySource& bodies, Ranks& ranks) {
    if (std::holds_alternative<std::unique_ptr<Engine<Device, float>>>(engine))
        return std::make_unique<DevicePart<float>>(std::move(engine), config, entry, bodies, ranks);
    return std::make_unique<DevicePart<double>>(std::move(engine), config, entry, bodies, ranks);
}

}  // namespace orrery
