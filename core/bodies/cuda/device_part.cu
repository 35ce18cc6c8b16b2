// SPDX-License-Identifier: MIT
// A rank's own bodies in device memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <utility>

#include "core/base/pool.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/cuda/body_kernels.cuh"
#include "core/bodies/cuda/domain_kernels.cuh"
#include "core/bodies/cuda/frame_maker.cuh"
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
    using typename Base::Mark;
    using typename Base::Masses;

public:
    DevicePart(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry, const BodySource& bodies,
               Ranks& ranks)
        : Base{std::move(engine), config, entry, bodies, ranks},
          devices_{device_ranks(ranks)},
          forces_{static_cast<std::size_t>(ranks.count())} {
        this->begin_with(bodies);
    }
    ~DevicePart() override { cudaStreamSynchronize(stream_.get()); }

    void move(std::span<const Move> moves) override {
        steps_.move(moves, {position_mass_.data(), velocity_.data(), acceleration_.data(), count_}, stream_.get());
    }
    void wait() override { stream_.wait(); }
    Stopwatch& clock() override { return stopwatch_; }

private:
    void mark(Mark mark) override { marks_[static_cast<std::size_t>(mark)].record(stream_.get()); }
    double seconds_between(Mark from, Mark to) const override {
        return marks_[static_cast<std::size_t>(to)].seconds_since(marks_[static_cast<std::size_t>(from)]);
    }

    void make_room(std::size_t count) override {
        count_ = count, imported_ = 0;
        reserve(with_margin(count_));
        velocity_ = {}, velocity_ = DeviceBuffer<Vec4<Real>>{count_ + count_ / 64};
        clear(acceleration_, count_);
    }
    void take(std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) override {
        if (!staging_) staging_ = cuda::PinnedBuffer<Vec4<Real>>{2 * std::min(kStretch, count_)};
        for (std::size_t at = 0; at < x.size(); at += kStretch) {
            const std::size_t length = std::min(kStretch, x.size() - at);
            Vec4<Real>*const places = staging_.data(), *const speeds = staging_.data() + length;
            for_each_in_blocks(this->pool(), length, [&](std::size_t i) {
                const Vec3d& from = v[at + i];
                places[i] = convert<Real>(x[at + i]);
                speeds[i] = {Real(from.x), Real(from.y), Real(from.z), 0};
            });
            put(places, position_mass_, first + at, length), put(speeds, velocity_, first + at, length);
            stream_.wait();
        }
    }

    /// The engine is created again, so that its memory is free meanwhile.
    void move_to_owners(double cost, std::vector<std::uint64_t>& tags) override {
        const std::uint64_t key = this->EngineSystem::history_key();
        this->EngineSystem::exchange_engine(this->config());
        this->scale_engine();
        sources_ = {}, cells_ = {}, selection_ = {}, staging_ = {}, imported_ = 0;
        const std::vector<cuda::BodyBox> boxes = [&] {
            DeviceBuffer<cuda::BodyBox> each{cuda::kCentreBlocks};
            launch("enclose_own_bodies", kShares, stream_.get(), cuda::enclose_own_bodies<Real>, position_mass_.data(),
                   count_, each.data());
            return host(each, cuda::kCentreBlocks);
        }();
        Vec3d low{boxes[0].low[0], boxes[0].low[1], boxes[0].low[2]},
            high{boxes[0].high[0], boxes[0].high[1], boxes[0].high[2]};
        for (const cuda::BodyBox& box : boxes) {
            low = {std::min(low.x, box.low[0]), std::min(low.y, box.low[1]), std::min(low.z, box.low[2])};
            high = {std::max(high.x, box.high[0]), std::max(high.y, box.high[1]), std::max(high.z, box.high[2])};
        }
        const KeyGrid<double> grid = grid_of_all(this->ranks(), low, high);
        DeviceBuffer<std::uint64_t> ids{count_};
        cuda::upload<std::uint64_t>(tags, ids, stream_.get());
        send_to_owners(grid, cost, tags, ids);
        sort_along_curve(grid, ids);
        tags = std::vector<std::uint64_t>{};  // frees its memory
        tags = host(ids, count_);
        frames_.forget_labels();
        restore_engine({}, key);
    }

    /// Exchanges bodies with the ranks that own them; those that stay come first.
    void send_to_owners(const KeyGrid<double>& grid, double cost, std::span<const std::uint64_t> tags,
                        DeviceBuffer<std::uint64_t>& ids) {
        const auto ranks = static_cast<std::size_t>(this->ranks().count()),
                   own = static_cast<std::size_t>(this->ranks().rank());
        Order order{count_};
        launch("fill_curve_keys", linear(count_), stream_.get(), cuda::fill_curve_keys<Real>, position_mass_.data(),
               count_, grid, order.keys[0].data(), order.places[0].data());
        std::vector<CurvePlace> samples(cut_samples(count_));
        {
            DeviceBuffer<std::uint64_t> keys{samples.size()};
            launch("gather", linear(samples.size()), stream_.get(), cuda::gather<std::uint64_t>, order.keys[0].data(),
                   keys.data(), count_, samples.size());
            const std::vector<std::uint64_t> found = host(keys, samples.size());
            for (std::size_t k = 0; k < samples.size(); ++k)
                samples[k] = {found[k], tags[k * tags.size() / samples.size()]};
        }
        const std::vector<CurvePlace> cuts = cuts_of(this->ranks(), samples, count_, cost);
        if (ranks == 1) return;
        DeviceBuffer<CurvePlace> borders{cuts.size()};
        DeviceBuffer<unsigned long long> numbers{ranks};
        cuda::upload<CurvePlace>(cuts, borders, stream_.get());
        clear(numbers, ranks);
        launch("replace_by_owner", linear(count_), stream_.get(), cuda::replace_by_owner, order.keys[0].data(),
               ids.data(), count_, borders.data(), static_cast<std::uint32_t>(ranks), static_cast<std::uint32_t>(own),
               numbers.data());
        std::vector<std::size_t> counts(ranks);
        const std::vector<unsigned long long> found = host(numbers, ranks);
        for (std::size_t r = 0; r < ranks; ++r) counts[r] = found[r == own ? ranks - 1 : r > own ? r - 1 : r];
        const std::vector<std::size_t> all = rows_of_all<std::size_t>(this->ranks(), counts);
        if (!any_moves(all, ranks)) return;
        sort(order, count_, 1 + static_cast<int>(std::log2(ranks)));
        Exchange plan{.leave = count_ - counts[own]};
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool moves = i / ranks != i % ranks;
            plan.counts.push_back(moves ? all[i] : 0);
            if (moves && i % ranks == own) plan.arrive += all[i];
        }
        const std::uint64_t count = counts[own] + plan.arrive;
        exchange_column(plan, order, position_mass_, with_margin(count));
        exchange_column(plan, order, acceleration_, position_mass_.size());
        exchange_column(plan, order, velocity_, count + count / 64);
        exchange_column(plan, order, ids, count);
        count_ = count, room_ = position_mass_.size();
    }

    /// Sorts the owned bodies along the curve.
    void sort_along_curve(const KeyGrid<double>& grid, DeviceBuffer<std::uint64_t>& ids) {
        Order order{count_};
        launch("fill_curve_keys", linear(count_), stream_.get(), cuda::fill_curve_keys<Real>, position_mass_.data(),
               count_, grid, order.keys[0].data(), order.places[0].data());
        sort(order, count_, 3 * kKeyLevels);
        order.keys[0] = {}, order.keys[1] = {};
        for (DeviceBuffer<Vec4<Real>>* column : {&position_mass_, &velocity_, &acceleration_}) {
            DeviceBuffer<Vec4<Real>> sorted{column->size()};
            reorder(*column, order, sorted.data(), count_);
            stream_.wait();
            *column = std::move(sorted);
        }
        DeviceBuffer<std::uint64_t> sorted{count_};
        reorder(ids, order, sorted.data(), count_);
        stream_.wait();
        ids = std::move(sorted);
    }

    Masses masses() const override {
        launch("weighted_positions", kShares, stream_.get(), cuda::weighted_positions<Real>, position_mass_.data(),
               count_, shares_.data());
        Masses all{.sum = sum_of_shares(cuda::kCentreBlocks).w};
        clear(not_finite_, 1);
        launch("find_heaviest", kShares, stream_.get(), cuda::find_heaviest<Real>, position_mass_.data(), count_,
               not_finite_.data());
        all.heaviest = std::bit_cast<double>(host(not_finite_, 1).front());
        return all;
    }
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
            clear(acceleration_, count_);
        else
            cuda::upload<Vec4<Real>>(rows.acceleration, acceleration_, stream_.get());
        stream_.wait();
    }

    double describe(const CellLevels& levels, double heavy_from) override {
        levels_ = levels;
        grow(cells_, levels.all());
        constexpr std::uint64_t kCells = cuda::kCellsOfBlock<Real>;
        launch("fill_cells_of_bodies",
               {dim3(static_cast<unsigned>((levels.cells(0) + kCells - 1) / kCells)), dim3(unsigned{kCells})},
               stream_.get(), cuda::fill_cells_of_bodies<Real>, levels, position_mass_.data(), acceleration_.data(),
               heavy_from, cells_.data());
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
    void share_boxes(int level, double mean_acceleration, std::span<const std::size_t> ends) override {
        const std::uint64_t count = levels_.cells(level);
        grow(boxes_, ends.back());
        launch("describe_boxes", linear(count), stream_.get(), cuda::describe_boxes<Real>,
               cells_.data() + levels_.first[level], count, mean_acceleration,
               boxes_.data() + ends[static_cast<std::size_t>(this->ranks().rank())] - count);
        std::vector<std::size_t> bytes;
        for (const std::size_t end : ends) bytes.push_back(end * sizeof(DomainBox));
        devices_.gather(reinterpret_cast<std::byte*>(boxes_.data()), bytes, stream_.get());
    }

    std::vector<std::uint64_t> select(std::span<const std::size_t> ends, const PointRule& rule) override {
        std::vector<std::uint64_t> numbers;
        std::uint64_t sent = 0;
        for (std::size_t r = 0; r < ends.size(); ++r) {
            const std::size_t first = r == 0 ? 0 : ends[r - 1];
            const bool own = static_cast<int>(r) == this->ranks().rank();
            numbers.push_back(own ? 0 : select_for(boxes_.data() + first, ends[r] - first, rule, sent));
            sent += numbers.back();
        }
        return numbers;
    }

    /// Computes the levels of boxes above `boxes` into selection_, and returns them all.
    cuda::BoxLevels levels_of(const DomainBox* boxes, std::uint64_t count) {
        cuda::BoxLevels all{{boxes}, {count}};
        for (int level = 1; level < cuda::BoxLevels::kCount; ++level) {
            DeviceBuffer<DomainBox>& above = selection_.above[level - 1];
            const std::uint64_t below = all.counts[level - 1], number = (below + 31) / 32;
            grow(above, number);
            launch("enclose_boxes", linear(number), stream_.get(), cuda::enclose_boxes, all.boxes[level - 1], below,
                   above.data());
            all.boxes[level] = above.data(), all.counts[level] = number;
        }
        return all;
    }

    /// Appends the sources for one rank to those sent; returns their number.
    std::uint64_t select_for(const DomainBox* boxes, std::uint64_t box_count, const PointRule& rule,
                             std::uint64_t sent) {
        const std::uint64_t all = levels_.all();
        auto& [above, uses, numbers, before, scratch] = selection_;
        const cuda::BoxLevels box_levels = levels_of(boxes, box_count);
        grow(uses, all), grow(numbers, all + 1), grow(before, all + 1);
        cuda::check(cudaMemsetAsync(numbers.data() + all, 0, sizeof(std::uint32_t), stream_.get()), "clearing");
        for (int level = levels_.count - 1; level >= 0; --level)
            launch("mark_cells", linear(32 * ((levels_.cells(level) + kCellChildren - 1) / kCellChildren)),
                   stream_.get(), cuda::mark_cells<Real>, levels_, level, cells_.data(), position_mass_.data(),
                   box_levels, rule, uses.data(), numbers.data());
        std::size_t bytes = 0;
        const auto scan = [&](void* memory) {
            cuda::check(cub::DeviceScan::ExclusiveSum(memory, bytes, numbers.data(), before.data(),
                                                      static_cast<int>(all + 1), stream_.get()),
                        "adding up sources");
        };
        scan(nullptr);
        grow(scratch, bytes);
        scan(scratch.data());
        std::uint32_t number = 0;
        cuda::check(cudaMemcpyAsync(&number, before.data() + all, sizeof number, cudaMemcpyDeviceToHost, stream_.get()),
                    "the number of sources");
        stream_.wait();
        if (sources_.sent.size() < sent + number) {
            DeviceBuffer<DomainSource<Real>> larger{with_margin(sent + number)};
            copy(sources_.sent.data(), larger.data(), sent);
            stream_.wait();
            sources_.sent = std::move(larger);
        }
        launch("write_sources", linear(all), stream_.get(), cuda::write_sources<Real>, all, levels_, cells_.data(),
               position_mass_.data(), acceleration_.data(), uses.data(), before.data(), sources_.sent.data() + sent);
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
        grow(sources_.received, imported_);
        devices_.exchange(reinterpret_cast<const std::byte*>(sources_.sent.data()),
                          reinterpret_cast<std::byte*>(sources_.received.data()), bytes, stream_.get());
        if (room_ < count_ + imported_) reserve(with_margin(count_ + imported_));
        launch("read_sources", linear(imported_), stream_.get(), cuda::read_sources<Real>, sources_.received.data(),
               imported_, position_mass_.data() + count_, acceleration_.data() + count_);
    }

    std::uint64_t begin_engine(const Gravity& gravity, Potential potential) override {
        return engine().begin(view(), gravity, potential, queue());
    }
    void run_engine(std::uint64_t first, std::uint64_t last) override { engine().run(first, last, queue()); }
    void restore_engine(const Gravity& gravity, std::uint64_t key) override {
        if (auto* history = engine().history()) history->restore_history(view(), gravity, key, queue());
    }

    std::size_t evaluated() const override { return count_ + imported_; }
    ForceSums sums() const override {
        ForceSums all;
        launch("add_forces", {dim3(cuda::kForceBlocks), dim3(cuda::kCentreThreads)}, stream_.get(),
               cuda::add_forces_of_many<Real>, position_mass_.data(), acceleration_.data(), count_, shares_.data());
        const Vec4d forces = sum_of_shares(cuda::kForceBlocks);
        all.force = xyz(forces), all.size = forces.w;
        launch("weighted_positions", kShares, stream_.get(), cuda::weighted_positions<Real>, position_mass_.data(),
               count_, shares_.data());
        const Vec4d moments = sum_of_shares(cuda::kCentreBlocks);
        all.moment = xyz(moments), all.mass = moments.w;
        launch("add_potentials", kShares, stream_.get(), cuda::add_potentials<Real>, position_mass_.data(),
               acceleration_.data(), count_, shares_.data());
        all.potential = sum_of_shares(cuda::kCentreBlocks).w;
        return all;
    }
    /// Without waiting: the sums of the ranks stay on the device.
    void balance(double mass) override {
        launch("add_forces", {dim3(cuda::kForceBlocks), dim3(cuda::kCentreThreads)}, stream_.get(),
               cuda::add_forces_of_many<Real>, position_mass_.data(), acceleration_.data(), count_, shares_.data());
        launch("add_shares", {dim3(1), dim3(cuda::kCentreThreads)}, stream_.get(), cuda::add_shares, shares_.data(),
               forces_.data() + this->ranks().rank());
        std::vector<std::size_t> ends;
        for (std::size_t r = 1; r <= forces_.size(); ++r) ends.push_back(r * sizeof(Vec4d));
        devices_.gather(reinterpret_cast<std::byte*>(forces_.data()), ends, stream_.get());
        launch("subtract_mean", linear(count_), stream_.get(), cuda::subtract_mean<Real>, acceleration_.data(), count_,
               forces_.data(), this->ranks().count(), mass);
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
        // Positions of other ranks, without mass, follow the owned bodies, in place of sources.
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

    void fill_own(Frame& frame, const Coloring& coloring, const Bodies& labels) const override {
        frames_.fill(frame, coloring, {position_mass_.data(), velocity_.data(), acceleration_.data(), count_}, labels,
                     engine(), stream_);
    }
    std::vector<Vec4f> vertices(const Frame& frame, std::span<const std::uint32_t> which) const override {
        if (which.empty()) return {};
        DeviceBuffer<std::uint32_t> places{which.size()};
        DeviceBuffer<Vec4f> some{which.size()};
        cuda::upload<std::uint32_t>(which, places, stream_.get());
        launch("gather_some", linear(which.size()), stream_.get(), cuda::gather_some<Vec4f>, frame.device->data(),
               places.data(), some.data(), which.size());
        return host(some, which.size());
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
    /// Makes room for the owned bodies and sources; keeps the owned bodies.
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
    void clear(DeviceBuffer<T>& column, std::uint64_t count) const {
        cuda::check(cudaMemsetAsync(column.data(), 0, count * sizeof(T), stream_.get()), "clearing");
    }
    void put(const Vec4<Real>* from, DeviceBuffer<Vec4<Real>>& to, std::uint64_t first, std::uint64_t count) const {
        cuda::check(
            cudaMemcpyAsync(to.data() + first, from, count * sizeof *from, cudaMemcpyHostToDevice, stream_.get()),
            "upload");
    }

    /// Keys, and the places of the bodies that have them; the first buffers hold the present ones.
    struct Order {
        explicit Order(std::uint64_t count)
            : keys{DeviceBuffer<std::uint64_t>{count}, DeviceBuffer<std::uint64_t>{count}},
              places{DeviceBuffer<std::uint32_t>{count}, DeviceBuffer<std::uint32_t>{count}} {}
        DeviceBuffer<std::uint64_t> keys[2];
        DeviceBuffer<std::uint32_t> places[2];
    };
    /// Sorts by the first `bits` bits of the keys; equal keys keep their order.
    void sort(Order& order, std::uint64_t count, int bits) const {
        cub::DoubleBuffer<std::uint64_t> keys{order.keys[0].data(), order.keys[1].data()};
        cub::DoubleBuffer<std::uint32_t> places{order.places[0].data(), order.places[1].data()};
        std::size_t bytes = 0;
        const auto radix = [&](void* memory) {
            cuda::check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, places, static_cast<std::int64_t>(count),
                                                        0, bits, stream_.get()),
                        "sorting keys");
        };
        radix(nullptr);
        DeviceBuffer<std::uint8_t> scratch{bytes};
        radix(scratch.data());
        stream_.wait();
        if (keys.selector == 1) std::swap(order.keys[0], order.keys[1]);
        if (places.selector == 1) std::swap(order.places[0], order.places[1]);
    }
    template <class T>
    void reorder(const DeviceBuffer<T>& column, const Order& order, T* to, std::uint64_t count) const {
        launch("gather_some", linear(count), stream_.get(), cuda::gather_some<T>, column.data(), order.places[0].data(),
               to, count);
    }
    /// Numbers of bodies that ranks send to each other, see DeviceRanks::exchange(), and that leave and reach this one.
    struct Exchange {
        std::uint64_t leave, arrive = 0;
        std::vector<std::size_t> counts{};
    };
    /// Moves a column to the owners, given the order in which those that leave come first; allocates `room`.
    template <class T>
    void exchange_column(const Exchange& plan, const Order& order, DeviceBuffer<T>& column, std::uint64_t room) {
        const std::uint64_t stay = count_ - plan.leave;
        DeviceBuffer<T> grouped{count_};
        reorder(column, order, grouped.data(), count_);
        stream_.wait();
        column = {}, column = DeviceBuffer<T>{room};
        copy(grouped.data() + plan.leave, column.data(), stay);
        std::vector<std::size_t> bytes;
        for (const std::size_t count : plan.counts) bytes.push_back(count * sizeof(T));
        devices_.exchange(reinterpret_cast<const std::byte*>(grouped.data()),
                          reinterpret_cast<std::byte*>(column.data() + stay), bytes, stream_.get());
        stream_.wait();
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

    /// Memory in which the sources for one rank are selected.
    struct Selection {
        DeviceBuffer<DomainBox> above[cuda::BoxLevels::kCount - 1];  // boxes around boxes
        DeviceBuffer<cuda::CellUse> uses;
        DeviceBuffer<std::uint32_t> numbers, before;  // sources of each cell, and of the cells before it
        DeviceBuffer<std::uint8_t> scratch;
    };

    DeviceRanks& devices_;
    cuda::Stream stream_;
    DeviceStopwatch stopwatch_{stream_};
    std::array<cuda::Event, Base::kMarks> marks_;
    std::uint64_t count_ = 0, imported_ = 0;                         // own bodies; sources that follow them
    mutable std::uint64_t room_ = 0;                                 // of the next two
    mutable DeviceBuffer<Vec4<Real>> position_mass_, acceleration_;  // of bodies and sources
    DeviceBuffer<Vec4<Real>> velocity_;
    CellLevels levels_;
    DeviceBuffer<DomainCell<Real>> cells_;
    DeviceBuffer<DomainBox> boxes_;  // of all ranks
    Selection selection_;
    struct {
        DeviceBuffer<DomainSource<Real>> sent, received;
    } sources_;
    cuda::PinnedBuffer<Vec4<Real>> staging_;  // while bodies are read
    cuda::StepQueue<Real> steps_;
    mutable cuda::FrameMaker<Real> frames_;
    mutable DeviceBuffer<unsigned long long> not_finite_{2};
    mutable DeviceBuffer<Vec4d> shares_{cuda::kForceBlocks};  // of sums over the owned bodies
    DeviceBuffer<Vec4d> forces_;                              // on the bodies of each rank
};

}  // namespace

std::unique_ptr<BodySystem> make_owned_device_system(AnyEngine engine, const EngineConfig& config,
                                                     const EngineEntry& entry, const BodySource& bodies, Ranks& ranks) {
    if (std::holds_alternative<std::unique_ptr<Engine<Device, float>>>(engine))
        return std::make_unique<DevicePart<float>>(std::move(engine), config, entry, bodies, ranks);
    return std::make_unique<DevicePart<double>>(std::move(engine), config, entry, bodies, ranks);
}

}  // namespace orrery
