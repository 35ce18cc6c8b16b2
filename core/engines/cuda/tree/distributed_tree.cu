// SPDX-License-Identifier: MIT
// The distributed tree: domain decomposition with load balancing, exchange of border cells and of locally essential
// trees, and the gathering of accelerations.
#include "core/engines/cuda/tree/distributed_tree.cuh"

#include <algorithm>
#include <numeric>

#include "core/engines/cuda/tree/tuning.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery::cuda {
namespace {

constexpr std::uint64_t kSamples = 1 << 16;  // number of sampled keys

/// Grows the buffer, with a margin, if it has fewer than `count` elements.
template <class T>
void reserve(DeviceBuffer<T>& buffer, std::uint64_t count) {
    if (buffer.size() < count) buffer = {}, buffer = DeviceBuffer<T>{count + count / 4};
}

/// Computes the mean acceleration of all bodies from those of the domains.
template <class Real>
__global__ void agree_on_mean(const TreeState<Real>* states, int count, TreeState<Real>* own) {
    double sum = 0, bodies = 0;
    for (int i = 0; i < count; ++i) {
        sum += double{states[i].units.mean_acceleration_norm} * states[i].bodies;
        bodies += states[i].bodies;
    }
    own->units.mean_acceleration_norm = Real(sum / bodies);
}

template <class Real>
std::uint64_t cells_of(const TreeState<Real>& state) {
    std::uint64_t all = 0;
    for (const std::uint32_t of_level : state.cells_of_level) all += of_level;
    return all;
}
template <class Real>
std::uint32_t groups_of(const TreeState<Real>& state) {
    std::uint32_t all = 0;
    for (const std::uint32_t of_level : state.groups_of_level) all += of_level;
    return all;
}

}  // namespace

template <class Real>
bool DistributedTree<Real>::build(TreeBuilder<Real>& tree, const Request& request, double seconds) {
    tree.enclose_all(request.bodies, request.count, request.softening, request.stream, request.low, request.previous);
    const bool chosen = !plan_.uneven && plan_.count == request.count && plan_.domains.count() == ranks_.count();
    plan_.uneven = false;
    if (!chosen && !plan(tree, request)) return false;
    bool fresh = !chosen;
    ++plan_.age;
    for (bool sorted = false;;) {
        if (!sorted) {
            tree.sort_domain(plan_.domains, own(), d_.cells.size(), request.shape, request.stream);
            request.sorted.record(request.stream);
        }
        sorted = true;
        tree.build_domain(request.shape, request.rule, request.stream, request.built);
        join(tree, request.rule, static_cast<float>(seconds), request.stream);
        tree.find_domain_groups(d_.cells.data(), border().place, static_cast<std::uint32_t>(d_.cells.size()),
                                request.stream);
        const bool room = gather_states(tree, request.stream);
        const auto any = [&](auto flag) { return std::ranges::any_of(states_, flag); };
        if (any([](const auto& s) { return s.thin != 0; })) {  // bodies have moved since the domains were cut
            plan_.domains = {}, plan_.costs.reset();
            if (fresh || !plan(tree, request)) return false;
            fresh = true, sorted = false;
            continue;
        }
        if (any([](const auto& s) { return s.deeper != 0; })) {
            tree.sort_deeper();
            sorted = false;
            continue;
        }
        if (!room) continue;
        std::uint64_t most = border().slots();  // upper bound of the cells that a rank may have: all of them
        for (const TreeState<Real>& state : states_) most += cells_of(state);
        if (most > tree.store().border) {
            tree.reserve_more_cells(most + most / 8);
            continue;
        }
        exchange(tree, prepare(tree, request.rule, request.stream), request.stream);
        check_balance();
        return true;
    }
}

template <class Real>
void DistributedTree<Real>::rebuild_above(TreeBuilder<Real>& tree, const TreeMac& rule, cudaStream_t stream) {
    join(tree, rule, states_[static_cast<std::size_t>(own())].seconds, stream);
    gather_states(tree, stream);
    exchange(tree, prepare(tree, rule, stream), stream);
}

/// Chooses domains from sampled keys, which are identical on all ranks, so that all choose the same domains.
template <class Real>
bool DistributedTree<Real>::plan(TreeBuilder<Real>& tree, const Request& request) {
    const std::vector<std::uint64_t> samples = tree.sampled_keys(kSamples, request.stream);
    cluster_ = request.shape.cluster;
    const auto cut_by = [&](const DomainCosts* costs) {
        return cut_curve(samples, request.count, rank_count(), cluster_, tree.deepest_border(request.shape), costs);
    };
    auto cut = cut_by(plan_.costs ? &*plan_.costs : nullptr);
    if (!cut && plan_.costs) cut = cut_by(nullptr);
    plan_.costs.reset();
    if (!cut) return false;
    plan_.domains = *cut, plan_.count = request.count, plan_.age = 0;
    const std::vector<BorderCell> cells = border_cells(plan_.domains);
    std::vector<std::vector<std::uint32_t>> of_rank(static_cast<std::size_t>(rank_count()));
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t octant = 0; octant < BorderCell::kOctants; ++octant)
            if (const std::int32_t child = cells[i].child[octant]; child < 0)
                of_rank[static_cast<std::size_t>(-1 - child)].push_back(
                    static_cast<std::uint32_t>(BorderCell::kOctants * i + octant));
    std::vector<std::uint32_t> roots;
    roots_end_.clear();
    for (const auto& slots : of_rank) {
        roots.insert(roots.end(), slots.begin(), slots.end());
        roots_end_.push_back(roots.size());
    }
    d_.cells = DeviceBuffer<BorderCell>{cells.size()};
    d_.roots = DeviceBuffer<std::uint32_t>{roots.size()};
    d_.border = DeviceBuffer<std::uint32_t>{cells.size() * (3 + 2 * BorderCell::kOctants) + 1};
    d_.children = DeviceBuffer<BorderChild<Real>>{cells.size() * BorderCell::kOctants};
    d_.states = DeviceBuffer<TreeState<Real>>{static_cast<std::size_t>(rank_count())};
    d_.sizes = DeviceBuffer<MessageSize>{static_cast<std::size_t>(rank_count() * rank_count())};
    upload<BorderCell>(cells, d_.cells, request.stream);
    upload<std::uint32_t>(roots, d_.roots, request.stream);
    check(cudaStreamSynchronize(request.stream), "waiting for the border");
    return true;
}

template <class Real>
BorderView DistributedTree<Real>::border() {
    const std::size_t cells = d_.cells.size(), slots = cells * BorderCell::kOctants;
    std::uint32_t* at = d_.border.data();
    return {.cells = d_.cells.data(),
            .count = static_cast<std::uint32_t>(cells),
            .rank = own(),
            .children = at,
            .first = at + cells,
            .place = at + 2 * cells,
            .node_of_slot = at + 3 * cells,
            .own_cell = at + 3 * cells + slots};
}

/// Builds the top of the tree. Exactly one rank has the data of each child, the others have zeros, so an integer sum
/// reproduces them bitwise.
template <class Real>
void DistributedTree<Real>::join(TreeBuilder<Real>& tree, const TreeMac& rule, float seconds, cudaStream_t stream) {
    const std::uint64_t begin = plan_.domains.begin(own());
    describe_children(border(), tree.store(),
                      DomainBorders{.before = begin - 1, .after = 0, .has_before = begin > 0, .has_after = false},
                      level_of_border(begin), cluster_, seconds, d_.children.data(), stream);
    device_ranks(ranks_).sum(
        {d_.children.data(), d_.children.size() * sizeof(BorderChild<Real>) / sizeof(std::uint32_t),
         DeviceNumbers::Type::kUint32},
        stream);
    merge_border(border(), tree.store(), tree.moment_output(rule, false), d_.children.data(), stream);
}

/// Gathers the state of all ranks. Returns false if any rank had too little room for its cells.
template <class Real>
bool DistributedTree<Real>::gather_states(TreeBuilder<Real>& tree, cudaStream_t stream) {
    const auto ranks = static_cast<std::size_t>(rank_count());
    check(cudaMemcpyAsync(d_.states.data() + own(), tree.store().state, sizeof(TreeState<Real>),
                          cudaMemcpyDeviceToDevice, stream),
          "the state");
    device_ranks(ranks_).gather(bytes_of(d_.states),
                                ends_of(rank_count(), sizeof(TreeState<Real>), [](int) { return 1; }), stream);
    launch("agree_on_mean", {dim3(1), dim3(1)}, stream, agree_on_mean<Real>, d_.states.data(), rank_count(),
           tree.store().state);
    states_.resize(ranks);
    download<TreeState<Real>>(d_.states, states_, stream);
    check(cudaStreamSynchronize(stream), "waiting for the trees of all ranks");
    tree.settle_domain(states_[static_cast<std::size_t>(own())]);
    std::uint64_t wanted = 0;
    for (const TreeState<Real>& state : states_)
        if (state.overflow != 0) wanted = std::max(wanted, cells_of(state));
    if (wanted > 0) tree.reserve_more_cells(wanted + wanted / 4);  // on all ranks, so that all have the same room
    return wanted == 0;
}

template <class Real>
Exporting<Real> DistributedTree<Real>::message_to(TreeBuilder<Real>& tree, int to) {
    const auto place = static_cast<std::uint64_t>(to);
    return {.tree = tree.store(),
            .border = border(),
            .roots = d_.roots.data() + first_root(own()),
            .root_count = static_cast<std::uint32_t>(roots_of(own())),
            .cells = static_cast<std::uint32_t>(tree.cells()),
            .needed = d_.needed.data() + place * tree.cells(),
            .places = d_.places.data() + place * (tree.cells() + 1),
            .sizes = d_.sizes.data() + own() * rank_count(),
            .sent = d_.sent.data(),
            .bodies = d_.sent_bodies.data(),
            .low = d_.sent_low.data(),
            .to = to};
}

/// Exchanges groups and marks the cells that other ranks' groups open; returns the sizes of all messages, by sender and
/// receiver.
template <class Real>
std::vector<MessageSize> DistributedTree<Real>::prepare(TreeBuilder<Real>& tree, const TreeMac& rule,
                                                        cudaStream_t stream) {
    const auto groups = [&](int r) { return std::size_t{groups_of(states_[static_cast<std::size_t>(r)])}; };
    const std::vector<std::size_t> ends = ends_of(rank_count(), sizeof(RequestingGroup<Real>), groups);
    const auto first_group = [&](int r) {
        return r == 0 ? 0 : ends[static_cast<std::size_t>(r) - 1] / sizeof(RequestingGroup<Real>);
    };
    reserve(d_.groups, ends.back() / sizeof(RequestingGroup<Real>));
    describe_groups(tree.view(), rule.rule, static_cast<std::uint32_t>(groups(own())),
                    d_.groups.data() + first_group(own()), stream);
    device_ranks(ranks_).gather(bytes_of(d_.groups), ends, stream);

    const auto ranks = static_cast<std::uint64_t>(rank_count());
    reserve(d_.needed, ranks * tree.cells());
    reserve(d_.places, ranks * (tree.cells() + 1));
    reserve(d_.sums, scan_sums(tree.cells()));
    check(cudaMemsetAsync(d_.sizes.data(), 0, d_.sizes.size() * sizeof(MessageSize), stream), "clearing");
    for (int to = 0; to < rank_count(); ++to) {
        if (to == own()) continue;
        const Exporting<Real> out = message_to(tree, to);
        mark_needed_cells(out, tree.view(), rule.rule, rule.order, d_.groups.data() + first_group(to),
                          static_cast<std::uint32_t>(groups(to)), stream);
        measure_message(out, d_.sums.data(), stream);
    }
    std::vector<MessageSize> sizes(d_.sizes.size());
    device_ranks(ranks_).gather(bytes_of(d_.sizes),
                                ends_of(rank_count(), ranks * sizeof(MessageSize), [](int) { return 1; }), stream);
    download<MessageSize>(d_.sizes, sizes, stream);
    check(cudaStreamSynchronize(stream), "waiting for what others ask for");
    return sizes;
}

template <class Real>
void DistributedTree<Real>::exchange(TreeBuilder<Real>& tree, const std::vector<MessageSize>& sizes,
                                     cudaStream_t stream) {
    const auto ranks = static_cast<std::size_t>(rank_count()), me = static_cast<std::size_t>(own());
    const auto size = [&](std::size_t from, std::size_t to) { return sizes[from * ranks + to]; };
    MessageSize sent{}, received{};
    std::vector<std::size_t> cell_bytes, body_bytes;
    for (std::size_t from = 0; from < ranks; ++from)
        for (std::size_t to = 0; to < ranks; ++to) {
            const MessageSize here = size(from, to);
            cell_bytes.push_back(here.cells * sizeof(SentCell<Real>));
            body_bytes.push_back(here.bodies * sizeof(Vec4<Real>));
            if (from == me) sent.cells += here.cells, sent.bodies += here.bodies;
            if (to == me) received.cells += here.cells, received.bodies += here.bodies;
        }
    const TreeStore<Real> store = tree.store();
    reserve(d_.sent, sent.cells);
    reserve(d_.received, received.cells);
    reserve(d_.sent_bodies, sent.bodies);
    if (store.low) reserve(d_.sent_low, sent.bodies);
    for (int to = 0; to < rank_count(); ++to)
        if (to != own()) write_message(message_to(tree, to), stream);
    DeviceRanks& devices = device_ranks(ranks_);
    devices.exchange(bytes_of(d_.sent), bytes_of(d_.received), cell_bytes, stream);
    devices.exchange(bytes_of(d_.sent_bodies), reinterpret_cast<std::byte*>(store.bodies + store.count), body_bytes,
                     stream);
    if (store.low)
        devices.exchange(bytes_of(d_.sent_low), reinterpret_cast<std::byte*>(store.low + store.count), body_bytes,
                         stream);
    // Walks read one body beyond the end.
    check(cudaMemsetAsync(store.bodies + store.count + received.bodies, 0, sizeof(Vec4<Real>), stream), "clearing");
    std::uint32_t cell = 0, body = 0;
    for (std::size_t from = 0; from < ranks; ++from) {
        const MessageSize here = size(from, me);
        read_message(Importing<Real>{.tree = store,
                                     .border = border(),
                                     .sent = d_.received.data() + cell,
                                     .cells = here.cells,
                                     .roots = d_.roots.data() + first_root(static_cast<int>(from)),
                                     .root_count = static_cast<std::uint32_t>(roots_of(static_cast<int>(from))),
                                     .first_cell = static_cast<std::uint32_t>(tree.cells()) + cell,
                                     .first_body = store.count + body},
                     stream);
        cell += here.cells, body += here.bodies;
    }
}

/// Requests new domains if one rank took longer than the others. All ranks see the same times.
template <class Real>
void DistributedTree<Real>::check_balance() {
    if (plan_.age < 3 || plan_.age % kBalanceEvery != 3)
        return;  // the first evaluation has extra work, and times are those of the previous one
    double most = 0, sum = 0;
    DomainCosts costs{plan_.domains, {}};
    for (const TreeState<Real>& state : states_) {
        most = std::max(most, double{state.seconds}), sum += double{state.seconds};
        costs.of_body.push_back(double{state.seconds} / std::max(1u, state.bodies));
    }
    if (!(sum > 0) || most * rank_count() < kUnevenRanks * sum) return;
    // Limit the change of a domain to a factor of two, whatever slowed the rank down.
    const double mean = std::accumulate(costs.of_body.begin(), costs.of_body.end(), 0.0) / rank_count();
    for (double& cost : costs.of_body) cost = std::clamp(cost, 0.5 * mean, 2 * mean);
    plan_.costs = costs;
    plan_.uneven = true;
}

template <class Real>
std::uint64_t DistributedTree<Real>::starts_at(int rank) const {
    std::uint64_t first = 0;
    for (int r = 0; r < rank; ++r) first += states_[static_cast<std::size_t>(r)].bodies;
    return first;
}

template <class Real>
Vec4<Real>* DistributedTree<Real>::accelerations(std::uint64_t count) {
    if (d_.accelerations.size() < count) d_.accelerations = {}, d_.accelerations = DeviceBuffer<Vec4<Real>>{count};
    return d_.accelerations.data() + starts_at(own());
}

template <class Real>
void DistributedTree<Real>::gather(const TreeBuilder<Real>& tree, Potential potential, Vec4<Real>* acceleration,
                                   cudaStream_t stream) {
    const auto bodies = [&](int r) { return std::uint64_t{states_[static_cast<std::size_t>(r)].bodies}; };
    DeviceRanks& devices = device_ranks(ranks_);
    devices.gather(bytes_of(d_.accelerations), ends_of(rank_count(), sizeof(Vec4<Real>), bodies), stream);
    if (potential == Potential::kCompute) {
        if (const std::uint64_t all = starts_at(rank_count()); d_.order.size() < all)
            d_.order = {}, d_.order = DeviceBuffer<std::uint32_t>{all};
        check(cudaMemcpyAsync(d_.order.data() + starts_at(own()), tree.order(), tree.count() * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToDevice, stream),
              "the order");
        devices.gather(bytes_of(d_.order), ends_of(rank_count(), sizeof(std::uint32_t), bodies), stream);
    }
    for (int r = 0; r < rank_count(); ++r)
        if (r != own())
            scatter(d_.accelerations.data() + starts_at(r),
                    potential == Potential::kCompute ? d_.order.data() + starts_at(r) : nullptr, acceleration,
                    bodies(r), stream);
}

template class DistributedTree<float>;
template class DistributedTree<double>;

}  // namespace orrery::cuda
