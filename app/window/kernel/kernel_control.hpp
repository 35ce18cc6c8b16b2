// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/window/features.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/kernel/kernel_trials.hpp"
#include "app/window/scenes/scene_control.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// A new content of a watched file.
struct FileChange {
    std::string text;
    std::chrono::system_clock::time_point saved;  ///< time of its last modification
};

/// Watches the content of one file on a thread.
class FileWatch {
public:
    static constexpr std::chrono::milliseconds kPeriod{50};

    FileWatch();
    /// Watches this file from now on; empty: none. `content`: its content so far, which does not count as a change.
    void set(const std::filesystem::path& path, std::string content);
    /// The newest change since the last call; empty: none.
    std::optional<FileChange> take();
    bool changed() const;  ///< true if take() would return a change

private:
    void watch(const std::stop_token& stop);

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::filesystem::path path_;
    std::string content_;  // as seen last
    std::optional<FileChange> change_;
    std::jthread thread_;  // last member: it uses all of the above
};

/// The page Kernel: opens, watches and saves its file, compiles and tries its text on a thread, makes the bodies move
/// by it, and compares it with the reference. A kernel that fails leaves the previous one in use.
class KernelControl final : public Feature {
public:
    /// `elsewhere`: the user is at another machine, whose text is compiled here only under --allow-kernels, and who
    /// writes no files here.
    KernelControl(WindowCore& core, SceneControl& scenes, bool elsewhere)
        : core_{core}, scenes_{scenes}, elsewhere_{elsewhere} {}

    void update() override;
    void apply(const UiRequests& requests) override;
    bool has_news() const override;

private:
    using Time = std::chrono::system_clock::time_point;
    /// A kernel sent to the simulation, until the bodies move by it.
    struct Sent {
        KernelFile file;
        std::string before;  ///< text of the kernel in use until then
        Time since;
        std::uint64_t messages;            ///< serial of the simulation's message at that time
        std::optional<std::int64_t> step;  ///< at which the engine changed; empty: it has not changed yet
    };

    KernelPage& page() { return core_.state.own.of<KernelPage>(); }
    void begin();
    void show(const std::string& name, const std::string& path, std::string text);
    void open(const std::string& source);
    void save(const std::filesystem::path& path);
    void parse_head();
    void run(Time since);
    void refuse(KernelFault fault);
    void follow_file();
    void follow_trial();
    void send(const KernelTried& tried);
    void follow_sent();
    void judge(const KernelFile& file);
    void follow_judge();

    WindowCore& core_;
    SceneControl& scenes_;
    bool elsewhere_;
    bool begun_ = false;
    std::string parsed_;  // text that KernelPage::head was parsed from
    FileWatch watch_;
    KernelTrials trials_;
    KernelJudge judge_;
    std::optional<Sent> sent_;
    std::optional<KernelFile> judged_;  // waits for a copy of the bodies
    std::uint64_t taken_ = 0;           // serial of the last copy before it was requested
};

}  // namespace orrery
