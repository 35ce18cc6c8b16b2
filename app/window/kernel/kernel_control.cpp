// SPDX-License-Identifier: MIT
#include "app/window/kernel/kernel_control.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/engines/choices.hpp"
#include "core/kernels/examples.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {
namespace {

/// Identifies a version of a file without reading it. Editors replace a file or write into it.
using FileVersion = std::tuple<std::string, ino_t, off_t, time_t, long>;

std::optional<FileVersion> version_of(const std::filesystem::path& path) {
    struct stat found {};
    if (path.empty() || ::stat(path.c_str(), &found) != 0) return std::nullopt;
    return FileVersion{path.string(), found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

std::chrono::system_clock::time_point time_of(const FileVersion& version) {
    using Clock = std::chrono::system_clock;
    return Clock::time_point{std::chrono::duration_cast<Clock::duration>(
        std::chrono::seconds{std::get<3>(version)} + std::chrono::nanoseconds{std::get<4>(version)})};
}

}  // namespace

FileWatch::FileWatch() : thread_{[this](const std::stop_token& stop) { watch(stop); }} {}

void FileWatch::set(const std::filesystem::path& path, std::string content) {
    {
        const std::lock_guard lock{mutex_};
        path_ = path, content_ = std::move(content);
        change_.reset();
    }
    wake_.notify_one();
}

std::optional<FileChange> FileWatch::take() {
    const std::lock_guard lock{mutex_};
    return std::exchange(change_, std::nullopt);
}

bool FileWatch::changed() const {
    const std::lock_guard lock{mutex_};
    return change_.has_value();
}

void FileWatch::watch(const std::stop_token& stop) {
    std::optional<FileVersion> seen, last;
    std::unique_lock lock{mutex_};
    while (!stop.stop_requested()) {
        if (path_.empty()) {
            wake_.wait(lock, stop, [this] { return !path_.empty(); });
            continue;
        }
        wake_.wait_for(lock, stop, kPeriod, [] { return false; });
        const std::filesystem::path path = path_;
        lock.unlock();
        const auto now = version_of(path);
        // An editor that writes into a file empties it first: a version is read when it has lasted for a period.
        const bool lasts = now && now == std::exchange(last, now);
        std::optional<std::string> text;
        if (lasts && now != seen) try {
                text = read_kernel_text(path.string());
            } catch (const Error&) {
                // Too large, or removed since: the next version may be readable.
            }
        lock.lock();
        if (lasts) seen = now;
        if (!text || path != path_ || *text == content_) continue;
        content_ = *text;
        change_ = FileChange{std::move(*text), time_of(*now)};
    }
}

namespace {

namespace fs = std::filesystem;

std::string absolute_path(const std::string& typed) {
    std::error_code unknown;
    return fs::absolute(expand_home(typed), unknown).lexically_normal().string();
}

}  // namespace

bool open_as_kernel(UiState& state, const fs::path& file) {
    if (!is_kernel_path(file)) return false;
    state.own.of<KernelPage>().wish.open = file.string();
    state.layout.panel = "kernel";
    state.layout.panels = true;
    return true;
}

/// Shows the kernel of the command line, of the scene, or an example.
void KernelControl::begin() {
    begun_ = true;
    page().elsewhere = elsewhere_;
    const std::string& given = core_.config.kernel_path;
    const std::string& text = core_.simulation.engine().kernel;
    if (!given.empty() && !text.empty()) {
        show(fs::path{given}.filename().string(), absolute_path(given), text);
        page().running = page().tried = text;
    } else if (!given.empty()) {  // a wrong map, which is not in use
        open(given);
        core_.state.layout.panel = "kernel", core_.state.layout.panels = true;
        run(std::chrono::system_clock::now());
    } else if (!text.empty()) {
        show(parse_kernel(text).title, {}, text);
        page().running = text;
    } else {
        open(std::string{example_kernels().front().name});
    }
}

void KernelControl::show(const std::string& name, const std::string& path, std::string text) {
    KernelPage& shown = page();
    shown.name = name, shown.path = shown.typed_path = path;
    shown.text = shown.saved = std::move(text);
    shown.fault = {};
    shown.force.reset(), shown.map.reset(), shown.exchange.reset();
    judge_.forget();
    judged_.reset();
    watch_.set(path, shown.saved);
}

void KernelControl::open(const std::string& source) {
    if (!page().text.empty() && page().modified())
        return core_.messages.failure(phrase("{} has unsaved changes: save or revert it first", verbatim(page().name)));
    if (const std::string_view example = example_kernel(source); !example.empty())
        return show(source, {}, std::string{example});
    core_.messages.attempt([&] {
        const std::string path = absolute_path(source);
        show(fs::path{path}.filename().string(), path, read_kernel_text(path));
    });
}

void KernelControl::save(const fs::path& path) {
    if (elsewhere_) return;
    core_.messages.attempt([&] {
        OutputFile file{path};
        file.write(page().text);
        file.commit();
        KernelPage& shown = page();
        shown.name = path.filename().string(), shown.path = shown.typed_path = path.string();
        shown.saved = shown.text;
        watch_.set(path, shown.text);
        core_.messages.file("Kernel saved", path.string());
    });
}

void KernelControl::parse_head() {
    KernelPage& shown = page();
    if (parsed_ == shown.text) return;
    parsed_ = shown.text;
    try {
        shown.head = parse_kernel(shown.text, shown.name);
    } catch (const Error&) {
        shown.head.reset();  // Run states the error
    }
}

void KernelControl::run(Time since) {
    page().exchange.reset();
    trials_.start({page().text, page().name, !elsewhere_, since});
}

void KernelControl::refuse(KernelFault fault) {
    page().fault = std::move(fault);
    page().fault_is_new = true;
}

/// Runs the text of a file that another program has saved, unless the text in the editor has changed too.
void KernelControl::follow_file() {
    auto change = watch_.take();
    if (!change) return;
    KernelPage& shown = page();
    const bool own = shown.modified() && shown.text != change->text;
    shown.saved = change->text;
    if (own)
        return core_.messages.notice(
            phrase("Another program has saved {}; Revert shows its text", verbatim(shown.name)), "kernel file");
    shown.text = std::move(change->text);
    run(change->saved);
}

void KernelControl::follow_trial() {
    auto tried = trials_.take();
    page().working = trials_.busy();
    if (!tried) return;
    KernelPage& shown = page();
    shown.tried = tried->trial.text;
    shown.fault = {};
    shown.map = tried->map;
    if (tried->map || !tried->fault.text.empty()) shown.force.reset();
    if (!tried->fault.text.empty()) return refuse(std::move(tried->fault));
    send(*tried);
}

void KernelControl::send(const KernelTried& tried) {
    EngineConfig config = core_.simulation.engine();
    const std::string before = config.kernel;
    core_.messages.attempt([&] {
        change_engine(config, engine_of(tried.file));
        config.kernel = tried.file.text;
        sent_ = Sent{tried.file, before, tried.trial.since, core_.simulation.status().message.serial, std::nullopt};
        scenes_.use_engine(config);
    });
}

/// Waits until the simulation has changed its engine and made a step, or has refused the engine.
void KernelControl::follow_sent() {
    if (!sent_) return;
    const Status& status = core_.simulation.status();
    KernelPage& shown = page();
    const bool changed =
        status.engine.config.kernel == sent_->file.text && runs(*find_engine(status.engine.config), sent_->file);
    if (!changed) {
        if (!core_.simulation.settled()) return;
        if (status.message.serial != sent_->messages) refuse({status.message.text, 0});
        sent_.reset();
        return;
    }
    if (!sent_->step) {
        sent_->step = status.step;
        shown.running = sent_->file.text;
        if (!status.pace.paused) return;
    }
    if (status.step == *sent_->step && !status.pace.paused) return;
    shown.exchange = std::chrono::duration<double>(std::chrono::system_clock::now() - sent_->since).count();
    judge(std::exchange(sent_, std::nullopt)->file);  // not earlier: it would delay the first step
}

void KernelControl::judge(const KernelFile& file) {
    judged_.reset();
    const Status& status = core_.simulation.status();
    if (status.source.cloud.on || status.engine.ranks > 1) return;
    taken_ = status.taken ? status.taken->serial : 0;
    judged_ = file;
    core_.simulation.send(CopyBodies{});
}

void KernelControl::follow_judge() {
    const Status& status = core_.simulation.status();
    if (judged_ && status.taken && status.taken->serial != taken_)
        judge_.start({*std::exchange(judged_, std::nullopt), status.taken});
    KernelPage& shown = page();
    const auto judged = judge_.take();
    shown.judging = judged_ || judge_.busy();
    if (!judged || judged->text != shown.tried) return;
    if (judged->force) shown.force = judged->force, shown.map.reset();
    if (judged->map) shown.map = judged->map, shown.force.reset();
    if (!judged->failure.empty()) refuse({judged->failure, 0});
}

void KernelControl::update() {
    if (!core_.simulation.ready()) return;
    if (!begun_) begin();
    follow_file();
    follow_trial();
    follow_sent();
    follow_judge();
    parse_head();
}

void KernelControl::apply(const UiRequests&) {
    const KernelWish wish = std::exchange(page().wish, {});
    if (!begun_) {
        page().wish.open = wish.open;
        return;
    }
    const auto now = std::chrono::system_clock::now();
    if (wish.revert) page().text = page().saved;
    if (!wish.open.empty()) open(wish.open);
    if (wish.save) save(page().path);
    if (wish.save_as) save(absolute_path(page().typed_path));
    if (wish.run || wish.save || wish.save_as) run(now);
}

bool KernelControl::has_news() const { return watch_.changed() || trials_.busy() || judge_.busy() || sent_ || judged_; }

}  // namespace orrery
