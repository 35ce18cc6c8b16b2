// SPDX-License-Identifier: MIT
#include "core/lab/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/info.hpp"

namespace orrery {
namespace {

bool among(const std::vector<std::string>& wanted, std::string_view id) {
    return wanted.empty() || std::ranges::find(wanted, id) != wanted.end();
}

}  // namespace

bool LabConfig::wants_map(std::string_view id) const { return among(maps, id); }
bool LabConfig::wants_root(std::string_view id) const { return among(roots, id); }

std::span<const LabEntry> experiments() {
    static const std::array menu{roots_experiment(),     dummy_experiment(),           edm_experiment(),
                                 collision_experiment(), collision_pairs_experiment(), collision_rows_experiment(),
                                 automaton_experiment(), triplet_experiment(),         quadruplet_experiment(),
                                 tiles_experiment(),     programs_experiment(),        waste_experiment(),
                                 exactness_experiment(), accuracy_experiment(),        orders_experiment()};
    return menu;
}

void require_lab_backend(std::string_view experiment, Backend backend) {
    if (backend == Backend::kCuda && !cuda_info().available)
        environment_error(fmt::format("the laboratory cannot run on cuda: {}", cuda_info().reason));
    if (backend != Backend::kGl) return;
    if (!find_in_menu(experiments(), "experiment", experiment).on_gl)
        usage_error(fmt::format("the experiment {} runs on cpu and cuda, not on gl", experiment));
    if (!gl_compute_info().available)
        environment_error(fmt::format("the laboratory cannot run on gl: {}", gl_compute_info().reason));
}

BackgroundLab::BackgroundLab()
    : work_{measure, [](News& news, const std::string& failure) {
                news.run.running = false, news.run.next.clear(), news.run.failure = failure;
            }} {}

void BackgroundLab::start(const std::string& experiment, LabConfig config) {
    const LabEntry& entry = find_in_menu(experiments(), "experiment", experiment);
    config.on_row = nullptr, config.kept = nullptr, config.stop = nullptr;
    const LabRun begun{.experiment = experiment, .config = config, .running = true};
    work_.start({entry, std::move(config)}, [&](News& news) { news = {.run = begun, .fresh = true}; });
}

void BackgroundLab::cancel() {
    work_.stop([](News& news) {
        news.run.cancelled |= news.run.running;
        return news.run.running;
    });
}

bool BackgroundLab::update(LabRun& run) {
    return work_.take([&](News& news, bool changed) {
        if (!changed) return false;
        LabTable table = std::exchange(news.fresh, false) ? LabTable{} : std::move(run.table);
        if (!news.run.table.columns.empty()) table.columns = news.run.table.columns;
        std::ranges::move(news.run.table.rows, std::back_inserter(table.rows));
        news.run.table.rows.clear();
        run = news.run;
        run.table = std::move(table);
        return true;
    });
}

void BackgroundLab::measure(const Work::Task& task) {
    LabConfig config = task.job().config;
    config.stop = [&] { return task.stop().stop_requested(); };
    config.on_row = [&](const std::vector<std::string>& columns, const std::vector<LabValue>& row) {
        task.publish([&](News& news) {
            news.run.table.columns = columns;
            news.run.table.rows.push_back(row);
            ++news.run.done;
        });
    };
    task.job().entry.run(config, [&](std::uint64_t done, std::uint64_t total, const std::string& next) {
        task.publish([&](News& news) { news.run.done = done, news.run.total = total, news.run.next = next; });
    });
}

}  // namespace orrery
