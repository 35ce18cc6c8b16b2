// SPDX-License-Identifier: MIT
#include "core/lab/runner.hpp"

#include <iterator>
#include <utility>

#include "core/base/give_way.hpp"
#include "core/base/menu.hpp"

namespace orrery {

BackgroundLab::BackgroundLab() : thread_{[this](const std::stop_token& stop) { work(stop); }} {}

BackgroundLab::~BackgroundLab() { cancel(); }

void BackgroundLab::start(const std::string& experiment, LabConfig config) {
    const LabEntry& entry = find_in_menu(experiments(), "experiment", experiment);
    config.on_row = nullptr, config.kept = nullptr, config.stop = nullptr;
    {
        const std::lock_guard lock{mutex_};
        current_.request_stop();
        current_ = std::stop_source{};
        news_ = {.experiment = experiment, .config = config, .running = true};
        fresh_ = changed_ = true;
        next_ = Job{entry, std::move(config), ++serial_, current_.get_token()};
    }
    wake_.notify_one();
}

void BackgroundLab::cancel() {
    const std::lock_guard lock{mutex_};
    if (!news_.running) return;
    current_.request_stop();
    news_.cancelled = true;
    changed_ = true;
}

bool BackgroundLab::update(LabRun& run) {
    const std::lock_guard lock{mutex_};
    if (!std::exchange(changed_, false)) return false;
    LabTable table = std::exchange(fresh_, false) ? LabTable{} : std::move(run.table);
    if (!news_.table.columns.empty()) table.columns = news_.table.columns;
    std::ranges::move(news_.table.rows, std::back_inserter(table.rows));
    news_.table.rows.clear();
    run = news_;
    run.table = std::move(table);
    return true;
}

template <class Change>
void BackgroundLab::publish(const Job& job, const Change& change) {
    const std::lock_guard lock{mutex_};
    if (job.serial != serial_) return;
    change(news_);
    changed_ = true;
}

void BackgroundLab::work(const std::stop_token& stop) {
    give_way();
    for (;;) {
        std::unique_lock lock{mutex_};
        if (!wake_.wait(lock, stop, [this] { return next_.has_value(); })) return;
        const Job job = *std::exchange(next_, std::nullopt);
        lock.unlock();
        std::string failure;
        try {
            measure(job);
        } catch (const std::exception& error) {  // no device, no memory, a setting that makes no sense
            failure = error.what();
        }
        publish(job, [&](LabRun& run) { run.running = false, run.next.clear(), run.failure = failure; });
    }
}

void BackgroundLab::measure(const Job& job) {
    LabConfig config = job.config;
    config.stop = [&] { return job.stop.stop_requested(); };
    config.on_row = [&](const std::vector<std::string>& columns, const std::vector<LabValue>& row) {
        publish(job, [&](LabRun& run) {
            run.table.columns = columns;
            run.table.rows.push_back(row);
            ++run.done;
        });
    };
    job.entry.run(config, [&](std::uint64_t done, std::uint64_t total, const std::string& next) {
        publish(job, [&](LabRun& run) { run.done = done, run.total = total, run.next = next; });
    });
}

}  // namespace orrery
