// SPDX-License-Identifier: MIT
// A rank's own bodies in host memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/memory.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/host_frame_maker.hpp"
#include "core/bodies/owned/owned_system.hpp"

namespace orrery {
namespace {

/// The boxes of a domain and boxes around them: parents of up to kCellChildren boxes, level by level.
class BoxTree {
public:
    explicit BoxTree(std::span<const DomainBox> boxes) : nodes_(boxes.begin(), boxes.end()), starts_{0} {
        while (nodes_.size() - starts_.back() > 1) {
            const std::size_t first = starts_.back(), end = nodes_.size();
            starts_.push_back(end);
            for (std::size_t i = first; i < end; i += kCellChildren) {
                DomainBox all = nodes_[i];
                for (std::size_t k = i + 1; k < std::min(end, i + kCellChildren); ++k) all = around(all, nodes_[k]);
                nodes_.push_back(all);
            }
        }
    }

    struct Node {
        std::uint32_t level, place;
    };
    Node root() const { return {static_cast<std::uint32_t>(starts_.size() - 1), 0}; }
    const DomainBox& box(Node node) const { return nodes_[starts_[node.level] + node.place]; }

    /// Adds the boxes at or below a node for which the cell must be opened; boxes smaller than the cell are not
    /// divided.
    template <class Real>
    void add_near(const DomainCell<Real>& cell, Node node, const PointRule& rule, std::vector<Node>& to) const {
        if (accept_points(cell, box(node), rule)) return;
        if (node.level == 0 || extent_of(box(node)) <= extent_of(cell)) return void(to.push_back(node));
        const std::uint32_t first = node.place * static_cast<std::uint32_t>(kCellChildren);
        const auto below = static_cast<std::uint32_t>(starts_[node.level] - starts_[node.level - 1]);
        for (std::uint32_t i = first; i < std::min(below, first + static_cast<std::uint32_t>(kCellChildren)); ++i)
            add_near(cell, {node.level - 1, i}, rule, to);
    }

private:
    std::vector<DomainBox> nodes_;
    std::vector<std::size_t> starts_;  // by level
};
using NearBoxes = std::vector<BoxTree::Node>;

/// A cell, and the boxes for which it must be opened.
struct CellVisit {
    int level;
    std::uint64_t place;
    NearBoxes near;
};

template <class Real>
class HostPart final : public OwnedSystem<Real> {
    using Base = OwnedSystem<Real>;
    using typename Base::ForceSums;
    using typename Base::Mark;
    using typename Base::Masses;

public:
    HostPart(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry, const BodySource& bodies,
             Ranks& ranks)
        : Base{std::move(engine), config, entry, bodies, ranks} {
        this->begin_with(bodies);
    }

    void move(std::span<const Move> moves) override {
        for (const Move& one : moves) {
            const auto step = static_cast<Real>(one.dt);
            if (one.op == Move::Op::kDrift) add_rates(position_mass_, velocity_, step);
            if (one.op == Move::Op::kKick) add_rates(velocity_, acceleration_, step);
        }
    }
    void wait() override {}
    Stopwatch& clock() override { return stopwatch_; }

private:
    using Clock = std::chrono::steady_clock;

    void mark(Mark mark) override { marks_[static_cast<std::size_t>(mark)] = Clock::now(); }
    double seconds_between(Mark from, Mark to) const override {
        const auto at = [this](Mark mark) { return marks_[static_cast<std::size_t>(mark)]; };
        return std::chrono::duration<double>(at(to) - at(from)).count();
    }

    void make_room(std::size_t count) override {
        count_ = count;
        position_mass_.resize(count), velocity_.resize(count), acceleration_.resize(count);
    }
    void take(std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) override {
        for_each_in_blocks(this->pool(), x.size(), [&](std::size_t i) {
            position_mass_[first + i] = convert<Real>(x[i]);
            velocity_[first + i] = {Real(v[i].x), Real(v[i].y), Real(v[i].z), 0};
        });
    }
    void move_to_owners(double cost, std::vector<std::uint64_t>& tags) override {
        position_mass_.resize(count_), acceleration_.resize(count_);
        PartRows<Real> all{std::move(position_mass_), std::move(velocity_), std::move(acceleration_), std::move(tags)};
        redistribute(this->ranks(), this->pool(), all, cost);
        tags = std::move(all.ids);
        set_rows(std::move(all));
    }
    Masses masses() const override {
        Masses all;
        for (const Masses& part : by_blocks(this->pool(), count_, [this](std::size_t first, std::size_t last) {
                 Masses own;
                 for (std::size_t i = first; i < last; ++i) {
                     const double mass = double(position_mass_[i].w);
                     own.sum += mass, own.heaviest = std::max(own.heaviest, mass);
                 }
                 return own;
             }))
            all.sum += part.sum, all.heaviest = std::max(all.heaviest, part.heaviest);
        return all;
    }
    PartRows<Real> rows() const override {
        const auto own = [this](const std::vector<Vec4<Real>>& column) {
            return std::vector<Vec4<Real>>(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(count_));
        };
        return {own(position_mass_), velocity_, own(acceleration_), {}};
    }
    void set_rows(PartRows<Real> rows) override {
        count_ = rows.count();
        position_mass_ = std::move(rows.position_mass), velocity_ = std::move(rows.velocity);
        acceleration_ = std::move(rows.acceleration);
        acceleration_.resize(count_);
    }

    double describe(const CellLevels& levels, double heavy_from) override {
        levels_ = levels;
        cells_.resize(levels.all());
        for_each_in_blocks(
            this->pool(), levels.cells(0),
            [&](std::size_t i) {
                cells_[i] = cell_of_bodies(position_mass_.data() + i * kCellBodies,
                                           acceleration_.data() + i * kCellBodies, levels.bodies_of(0, i), heavy_from);
            },
            512);
        for (int level = 1; level < levels.count; ++level)
            for_each_in_blocks(
                this->pool(), levels.cells(level),
                [&](std::size_t i) {
                    const std::uint64_t first = i * kCellChildren,
                                        count = std::min(kCellChildren, levels.cells(level - 1) - first);
                    cells_[levels.first[level] + i] =
                        cell_of_cells(cells_.data() + levels.first[level - 1] + first, count,
                                      [&](std::uint64_t k) { return levels.bodies_of(level - 1, first + k); });
                },
                512);
        return double(cells_.back().mean);
    }
    void share_boxes(int level, double mean_acceleration, std::span<const std::size_t> ends) override {
        boxes_.resize(ends.back());
        const std::uint64_t cells = levels_.cells(level);
        DomainBox* const own = boxes_.data() + ends[static_cast<std::size_t>(this->ranks().rank())] - cells;
        for (std::uint64_t i = 0; i < cells; ++i) own[i] = box_of(cells_[levels_.first[level] + i], mean_acceleration);
        gather(this->ranks(), std::span{boxes_}, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
    }

    std::vector<std::uint64_t> select(std::span<const std::size_t> ends, const PointRule& rule) override {
        sent_.clear();
        std::vector<std::uint64_t> numbers;
        for (std::size_t r = 0; r < ends.size(); ++r) {
            const std::size_t before = sent_.size(), first = r == 0 ? 0 : ends[r - 1];
            if (static_cast<int>(r) != this->ranks().rank())
                select_for(BoxTree{std::span{boxes_}.subspan(first, ends[r] - first)}, rule);
            numbers.push_back(sent_.size() - before);
        }
        return numbers;
    }

    /// Walks from the root; subtrees of a coarse level are walked in parallel, and their sources kept in order.
    void select_for(const BoxTree& boxes, const PointRule& rule) {
        constexpr std::uint64_t kSubtrees = 64;
        std::vector<CellVisit> subtrees;
        int coarse = levels_.count - 1;
        while (coarse > 0 && levels_.cells(coarse) < kSubtrees) --coarse;
        // Accepted cells above become subtrees without boxes.
        const auto descend = [&](const auto& self, int level, std::uint64_t place, const NearBoxes& near) -> void {
            const NearBoxes left = opening(level, place, near, boxes, rule);
            if (left.empty() || level == coarse) return void(subtrees.push_back({level, place, left}));
            for_children(level, place, [&](std::uint64_t child) { self(self, level - 1, child, left); });
        };
        descend(descend, levels_.count - 1, 0, {boxes.root()});
        std::vector<std::vector<DomainSource<Real>>> found(subtrees.size());
        this->pool().parallel_for(0, subtrees.size(), [&](std::uint64_t i) {
            const CellVisit& root = subtrees[i];
            walk(root.level, root.place, root.near, boxes, rule, found[i]);
        });
        for (const auto& each : found) sent_.insert(sent_.end(), each.begin(), each.end());
    }

    NearBoxes opening(int level, std::uint64_t place, const NearBoxes& near, const BoxTree& boxes,
                      const PointRule& rule) const {
        NearBoxes left;
        for (const BoxTree::Node node : near) boxes.add_near(cells_[levels_.first[level] + place], node, rule, left);
        return left;
    }
    template <class Visit>
    void for_children(int level, std::uint64_t place, const Visit& visit) const {
        const std::uint64_t first = place * kCellChildren,
                            last = std::min(first + kCellChildren, levels_.cells(level - 1));
        for (std::uint64_t child = first; child < last; ++child) visit(child);
    }

    /// Adds the sources of a cell that must be opened for the boxes `left`.
    void walk(int level, std::uint64_t place, const NearBoxes& left, const BoxTree& boxes, const PointRule& rule,
              std::vector<DomainSource<Real>>& to) const {
        const std::uint64_t bodies = levels_.bodies_of(level, place);
        if (left.empty() && bodies > kCellPoints) {
            const DomainCell<Real>& cell = cells_[levels_.first[level] + place];
            for (int k = 0; k < points_of(cell); ++k) to.push_back(point_of(cell, k));
            return;
        }
        if (level == 0) {
            for (std::uint64_t i = place * kCellBodies; i < place * kCellBodies + bodies; ++i)
                if (position_mass_[i].w > 0) to.push_back(source_of(position_mass_[i], acceleration_[i]));
            return;
        }
        for_children(level, place, [&](std::uint64_t child) {
            walk(level - 1, child, opening(level - 1, child, left, boxes, rule), boxes, rule, to);
        });
    }

    void exchange_sources(std::span<const std::uint64_t> numbers) override {
        const auto ranks = static_cast<std::size_t>(this->ranks().count()),
                   own = static_cast<std::size_t>(this->ranks().rank());
        std::vector<std::size_t> bytes;
        std::size_t received = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            bytes.push_back(numbers[i] * sizeof(DomainSource<Real>));
            if (i % ranks == own) received += numbers[i];
        }
        received_.resize(received);
        exchange(this->ranks(), std::as_bytes(std::span{sent_}), std::as_writable_bytes(std::span{received_}), bytes);
        position_mass_.resize(count_ + received), acceleration_.resize(count_ + received);
        for_each_in_blocks(this->pool(), received, [&](std::size_t i) {
            const DomainSource<Real>& from = received_[i];
            position_mass_[count_ + i] = {from.x, from.y, from.z, from.mass};
            acceleration_[count_ + i] = {from.acceleration, 0, 0, 0};
        });
    }

    std::uint64_t begin_engine(const Gravity& gravity, Potential potential) override {
        return engine().begin(view(), gravity, potential, {});
    }
    void run_engine(std::uint64_t first, std::uint64_t last) override { engine().run(first, last, {}); }
    void restore_engine(const Gravity& gravity, std::uint64_t key) override {
        if (auto* history = engine().history()) history->restore_history(view(), gravity, key, {});
    }

    std::size_t evaluated() const override { return position_mass_.size(); }
    ForceSums sums() const override {
        ForceSums all;
        const auto parts = by_blocks(this->pool(), count_, [this](std::size_t first, std::size_t last) {
            ForceSums part;
            for (std::size_t i = first; i < last; ++i) {
                const double m = double(position_mass_[i].w);
                const Vec3d force = m * in_double(acceleration_[i]);
                part.force = part.force + force, part.size += std::sqrt(dot(force, force));
                part.mass += m, part.potential += m * double(acceleration_[i].w);
                part.moment = part.moment + m * in_double(position_mass_[i]);
            }
            return part;
        });
        for (const ForceSums& part : parts) {
            all.force = all.force + part.force, all.size += part.size;
            all.mass += part.mass, all.potential += part.potential, all.moment = all.moment + part.moment;
        }
        return all;
    }
    void balance(double mass) override {
        Vec3d force{0, 0, 0};
        for (const Vec3d& each : from_all(this->ranks(), sums().force)) force = force + each;
        const Vec3d more = (-1 / mass) * force;
        const Vec3<Real> add{Real(more.x), Real(more.y), Real(more.z)};
        for_each_in_blocks(this->pool(), count_, [&](std::size_t i) {
            Vec4<Real>& a = acceleration_[i];
            a.x += add.x, a.y += add.y, a.z += add.z;
        });
    }

    std::vector<BodySample> own_samples(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples;
        for (const std::uint32_t i : which)
            samples.push_back({convert<double>(position_mass_[i]), xyz(convert<double>(velocity_[i])),
                               xyz(convert<double>(acceleration_[i]))});
        return samples;
    }
    std::vector<Vec4d> own_references(const Gravity& gravity, std::span<const Vec4d> at,
                                      std::span<const std::optional<std::uint32_t>> own) const override {
        // Positions of other ranks follow the owned bodies, without mass.
        std::vector<Vec4<Real>> bodies(position_mass_.begin(),
                                       position_mass_.begin() + static_cast<std::ptrdiff_t>(count_));
        std::vector<std::uint32_t> which;
        for (std::size_t k = 0; k < at.size(); ++k) {
            which.push_back(own[k].value_or(static_cast<std::uint32_t>(bodies.size())));
            if (!own[k]) bodies.push_back({Real(at[k].x), Real(at[k].y), Real(at[k].z), 0});
        }
        std::vector<Vec4d> all(at.size());
        this->pool().parallel_for(0, (at.size() + kReferenceBlock - 1) / kReferenceBlock, [&](std::uint64_t block) {
            const std::size_t first = block * kReferenceBlock;
            const auto some = std::span{which}.subspan(first, std::min(kReferenceBlock, which.size() - first));
            references_of_block(std::span<const Vec4<Real>>{bodies}, some, gravity, all.data() + first);
        });
        return all;
    }
    void fill_own(Frame& frame, const Coloring& coloring, const Bodies& labels) const override {
        frames_.fill(frame, coloring, {position_mass_.data(), velocity_.data(), acceleration_.data(), count_}, labels,
                     engine(), this->pool());
    }
    std::vector<Vec4f> vertices(const Frame& frame, std::span<const std::uint32_t> which) const override {
        std::vector<Vec4f> some;
        for (const std::uint32_t i : which) some.push_back(frame.host[i]);
        return some;
    }
    std::optional<std::uint32_t> first_own_not_finite() const override {
        const auto bad = [](const Vec4<Real>& v) { return !((v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0); };
        for (const auto* state : {&position_mass_, &velocity_})
            for (std::size_t i = 0; i < count_; ++i)
                if (bad((*state)[i])) return static_cast<std::uint32_t>(i);
        return std::nullopt;
    }

    void add_rates(std::vector<Vec4<Real>>& to, const std::vector<Vec4<Real>>& rates, Real step) {
        for_each_in_blocks(this->pool(), count_, [&](std::size_t i) {
            Vec4<Real>& x = to[i];
            const Vec4<Real>& v = rates[i];
            x.x += step * v.x, x.y += step * v.y, x.z += step * v.z;
        });
    }
    Engine<Host, Real>& engine() const { return EngineSystem::engine<Host, Real>(); }
    BodyView<Host, Real> view() {
        return {.position_mass = position_mass_.data(),
                .acceleration = acceleration_.data(),
                .count = position_mass_.size()};
    }

    HostStopwatch stopwatch_;
    std::array<Clock::time_point, Base::kMarks> marks_;
    std::size_t count_ = 0;                                 // own bodies, at the beginning of the columns
    std::vector<Vec4<Real>> position_mass_, acceleration_;  // followed by the received sources
    std::vector<Vec4<Real>> velocity_;
    CellLevels levels_;
    std::vector<DomainCell<Real>> cells_;
    std::vector<DomainBox> boxes_;  // of all ranks
    std::vector<DomainSource<Real>> sent_, received_;
    mutable HostFrameMaker<Real> frames_;
};

}  // namespace

std::unique_ptr<BodySystem> make_owned_host_system(AnyEngine engine, const EngineConfig& config,
                                                   const EngineEntry& entry, const BodySource& bodies, Ranks& ranks) {
    if (std::holds_alternative<std::unique_ptr<Engine<Host, float>>>(engine))
        return std::make_unique<HostPart<float>>(std::move(engine), config, entry, bodies, ranks);
    return std::make_unique<HostPart<double>>(std::move(engine), config, entry, bodies, ranks);
}

}  // namespace orrery
