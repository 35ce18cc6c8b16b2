// SPDX-License-Identifier: MIT
#include "core/simulation/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/formats/input_file.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

Checkpoint checkpoint_of(const Simulation& simulation, const RunRecord& run) {
    Checkpoint checkpoint{.scene = present_settings(simulation),
                          .state = simulation.snapshot(),
                          .reversed = simulation.now().reversed,
                          .run = run};
    checkpoint.scene.bodies = simulation.system().labels();
    return checkpoint;
}

Simulation resume(Checkpoint checkpoint, Ranks* ranks) {
    Simulation simulation{std::move(checkpoint.scene), checkpoint.state.engine, {}, ranks};
    simulation.restore(checkpoint.state);
    simulation.set_reversed(checkpoint.reversed);
    return simulation;
}

namespace {

constexpr const char* kFirstLine = "orrery checkpoint of several ranks";

void write_index(const CheckpointSet& set) {
    OutputFile file{set.path, Durable::kYes};
    file.write(fmt::format("{}\nranks {}\nsteps {}\n", kFirstLine, set.ranks, set.steps));
    file.commit();
}

void require_same_step(const CheckpointSet& set, const Checkpoint& part, const std::filesystem::path& path) {
    if (part.state.steps != set.steps)
        usage_error(fmt::format("{}: is of step {}, but {} names step {}; restore the files of one checkpoint",
                                path.string(), part.state.steps, set.path.string(), set.steps));
}

}  // namespace

std::filesystem::path CheckpointSet::part(int rank) const {
    std::filesystem::path file = path;
    return file.replace_filename(
        fmt::format("{}.step{}.rank{}of{}{}", path.stem().string(), steps, rank, ranks, path.extension().string()));
}

void write_checkpoint_set(Ranks& ranks, const Checkpoint& checkpoint, const std::filesystem::path& path) {
    std::optional<CheckpointSet> before;
    if (std::filesystem::exists(path)) before = read_checkpoint_set(path);
    const CheckpointSet now{path, ranks.count(), checkpoint.state.steps};
    on_all(ranks, [&] { write_checkpoint(checkpoint, now.part(ranks.rank())); });
    on_all(ranks, [&] {
        if (ranks.first()) write_index(now);
    });
    if (!before || before->steps == now.steps) return;
    std::error_code ignored;
    for (int rank = ranks.rank(); rank < before->ranks; rank += ranks.count())
        std::filesystem::remove(before->part(rank), ignored);
}

std::optional<CheckpointSet> read_checkpoint_set(const std::filesystem::path& path) {
    const InputFile readable{path};
    std::ifstream file{path, std::ios::binary};
    std::string first(std::strlen(kFirstLine), ' ');
    if (!file.read(first.data(), static_cast<std::streamsize>(first.size())) || first != kFirstLine)
        return std::nullopt;
    CheckpointSet set{.path = path};
    std::string ranks, steps;
    if (!(file >> ranks >> set.ranks >> steps >> set.steps) || ranks != "ranks" || steps != "steps" || set.ranks < 1)
        usage_error(fmt::format("{}: expected the numbers of ranks and steps", path.string()));
    return set;
}

Checkpoint joined(const CheckpointSet& set) {
    struct Row {
        std::uint64_t id;
        std::size_t part, place;
    };
    std::vector<Checkpoint> parts;
    std::vector<Row> order;
    for (int rank = 0; rank < set.ranks; ++rank) {
        parts.push_back(read_run(set.part(rank)));
        const Checkpoint& part = parts.back();
        require_same_step(set, part, set.part(rank));
        const std::vector<std::uint64_t>& ids = part.scene.bodies.ids;
        for (std::size_t i = 0; i < part.state.bodies.count; ++i) order.push_back({ids.at(i), parts.size() - 1, i});
    }
    std::ranges::stable_sort(order, {}, &Row::id);
    Checkpoint whole = parts.front();
    Bodies& bodies = whole.scene.bodies;
    bodies = {};
    BodyState& state = whole.state.bodies;
    const std::size_t columns = columns_of(state), bytes = state.bytes.size() / (columns * state.count);
    state.count = order.size();
    state.bytes.resize(columns * bytes * order.size());
    bool numbered = true;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Row& row = order[k];
        const BodyState& from = parts[row.part].state.bodies;
        const Bodies& labels = parts[row.part].scene.bodies;
        for (std::size_t c = 0; c < columns; ++c)
            std::memcpy(state.bytes.data() + (c * state.count + k) * bytes,
                        from.bytes.data() + (c * from.count + row.place) * bytes, bytes);
        bodies.position_mass.push_back(labels.position_mass.at(row.place));
        bodies.velocity.push_back(labels.velocity.at(row.place));
        bodies.ids.push_back(row.id);
        if (!labels.species.empty()) bodies.species.push_back(labels.species[row.place]);
        numbered = numbered && row.id == k;
    }
    if (numbered) bodies.ids.clear();
    whole.state.history_key = 0;
    return whole;
}

}  // namespace orrery
