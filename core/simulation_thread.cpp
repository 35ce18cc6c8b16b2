// SPDX-License-Identifier: MIT
#include "core/simulation_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/give_way.hpp"
#include "core/energy_watch.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kSlice{0.015};          // an action waits at most about this long
constexpr Seconds kPublishPeriod{0.007};  // more frames per second than any screen shows
constexpr Seconds kErrorPeriod{2};
constexpr Seconds kReportPeriod{0.25};  // a device's report waits for its events
constexpr Seconds kCellsPeriod{0.1};
/// The time between two measurements that come to the host, errors of forces and cells, in units of the time one takes.
constexpr double kMeasureShare = 20;

}  // namespace

/// Owns the Simulation. All members but the mailbox belong to its thread.
class SimulationThread::Worker {
public:
    Worker(TripleBuffer<Frame>& frames, const SceneRequest& request, const EngineConfig& engine)
        : frames_{frames}, request_{request}, simulation_{open_scene(request), engine} {
        adopt_scene();
        publish_frame();
        publish_status();
        thread_ = std::jthread{[this](std::stop_token stop) { run(stop); }};
    }

    void send(Action action) {
        const std::lock_guard lock{mutex_};
        inbox_.push_back(std::move(action));
        wake_.notify_one();
    }
    void acknowledge() {
        const std::lock_guard lock{mutex_};
        acknowledged_ = true;
        wake_.notify_one();
    }
    Status status() const {
        const std::lock_guard lock{mutex_};
        return published_;
    }

private:
    void run(std::stop_token stop) {
        give_way();
        while (!stop.stop_requested()) {
            take_mail();
            const auto pause = until_next_step();
            if (pause > Seconds::zero()) {
                energy_.take(simulation_, status_);
                publish_status();
                std::unique_lock lock{mutex_};
                wake_.wait_for(lock, stop, pause, [&] { return !inbox_.empty() || acknowledged_; });
            } else {
                guarded([&] { work(); });
            }
        }
    }

    void take_mail() {
        std::deque<Action> actions;
        {
            const std::lock_guard lock{mutex_};
            actions.swap(inbox_);
            if (acknowledged_) waiting_for_window_ = acknowledged_ = false;
        }
        for (std::size_t i = 0; i < actions.size(); ++i) {
            // Of the engines that a moved slider asks for in one slice, only the last is made.
            const bool overtaken = i + 1 < actions.size() && std::holds_alternative<SetEngine>(actions[i]) &&
                                   std::holds_alternative<SetEngine>(actions[i + 1]);
            if (!overtaken) guarded([&] { std::visit([&](const auto& wish) { apply(wish); }, actions[i]); });
            ++status_.actions_done;
        }
        if (!actions.empty()) publish_status();
    }

    /// A refusal is told and leaves everything as it was.
    template <class Body>
    void guarded(const Body& body) {
        try {
            body();
        } catch (const std::exception& error) {
            status_.message = error.what();
            ++status_.message_serial;
            status_.loading = false;
            publish_status();
        }
    }

    void apply(const LoadScene& wish) {
        status_.loading = true;
        publish_status();
        Simulation loaded{open_scene(wish.request), simulation_.engine_config()};
        simulation_ = std::move(loaded);
        request_ = wish.request;
        adopt_scene();
        publish_frame();
    }
    void apply(const SetEngine& wish) {
        const Law before = law_of(simulation_.engine_config());
        simulation_.set_engine(wish.config);
        if (law_of(wish.config) != before) energy_.restart(simulation_, status_);
        forces_.clear();
        forget_measurements();
        if (status_.paused) show_now();
    }
    void apply(const SetPaused& wish) {
        status_.paused = wish.paused;
        steps_rate_.restart();
        next_step_ = Clock::now();
        if (wish.paused) show_now();
    }
    void apply(const SingleStep&) {
        status_.paused = true;
        single_steps_ = 1;
    }
    void apply(const SetDt& wish) { simulation_.set_dt(wish.dt); }
    void apply(const SetSoftening& wish) {
        Gravity gravity = simulation_.gravity();
        gravity.softening = wish.softening;
        simulation_.set_gravity(gravity);
        energy_.restart(simulation_, status_);
        next_error_ = Clock::now();
    }
    void apply(const SetSpeed& wish) {
        if (!(wish.steps_per_second >= 0))
            usage_error(fmt::format("speed {}: must be 0 or more", wish.steps_per_second));
        status_.speed_limit = wish.steps_per_second;
        next_step_ = Clock::now();
    }
    void apply(const SetPacing& wish) {
        if (wish.steps_per_frame < 0)
            usage_error(fmt::format("{} steps per frame: must be 0 or more", wish.steps_per_frame));
        pacing_ = wish.steps_per_frame;
        paced_steps_ = 0;
        waiting_for_window_ = false;
        next_step_ = Clock::now();
        if (pacing_ > 0) publish_paced_frame();
    }
    void apply(const SetCells& wish) {
        most_cells_ = wish.most;
        next_cells_ = Clock::now();
        show_now();
    }
    void apply(const MeasureTheta& wish) {
        if (!wish.on) return theta_.stop();
        const EngineConfig& config = simulation_.engine_config();
        if (!engine(config.engine, config.backend).tree)
            usage_error(fmt::format("engine '{}' on {} has no tree", config.engine, name(config.backend)));
        theta_.start(simulation_.system().bodies(), simulation_.gravity(), config);
    }

    /// How long there is nothing to do.
    Seconds until_next_step() const {
        constexpr Seconds nothing{0.25};  // wakes now and then for energies that are done
        if (waiting_for_window_) return nothing;
        if (status_.paused && single_steps_ == 0) return cells_due() ? Seconds::zero() : nothing;
        if (pacing_ > 0 || status_.speed_limit == 0 || single_steps_ > 0) return Seconds::zero();
        return next_step_ - Clock::now();
    }

    void work() {
        try {
            if (status_.paused && single_steps_ == 0) return evaluate_for_cells();
            if (!simulation_.advance(kSlice)) return publish_status();
        } catch (...) {
            status_.paused = true;  // it would fail again and again
            most_cells_ = 0;
            throw;
        }
        finish_step();
        energy_.take(simulation_, status_);
        const auto now = Clock::now();
        if (pacing_ > 0) {
            if (++paced_steps_ % pacing_ == 0) publish_paced_frame();
        } else if (now - last_publish_ >= kPublishPeriod || status_.paused) {
            publish_frame();
        }
        if (now - last_status_ >= kPublishPeriod || status_.paused) publish_status();
    }

    void finish_step() {
        forces_.add(simulation_.last_force_seconds());
        steps_rate_.add();
        if (single_steps_ > 0) --single_steps_;
        const auto now = Clock::now();
        if (status_.speed_limit > 0) {
            const auto period = std::chrono::duration_cast<Clock::duration>(Seconds{1 / status_.speed_limit});
            // A step that came late is not made up for by a burst, beyond a twentieth of a second.
            next_step_ = std::max(next_step_ + period, now - std::chrono::milliseconds{50});
        }
        if (now >= next_report_) take_report();
        if (now >= next_error_ && simulation_.forces_fresh()) measure_forces();
    }

    void take_report() {
        status_.engine_report = simulation_.system().engine_report();
        next_report_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(kReportPeriod);
    }

    /// Cells are wanted of forces that are not there: at the beginning of a scene, or of an engine. (In the middle of a
    /// step they wait for its end: bodies must not depend on who looks at them.)
    bool cells_due() const { return most_cells_ > 0 && !simulation_.forces_fresh() && !simulation_.within_step(); }
    void evaluate_for_cells() {
        if (simulation_.evaluate(kSlice)) {
            forces_.add(simulation_.last_force_seconds());
            take_report();
            next_cells_ = Clock::now();
            publish_frame();
        }
        publish_status();
    }

    /// The engine's cells, of forces that are whole. Between two steps they are those of the frame.
    void take_cells() {
        if (most_cells_ == 0) return cells_.reset();
        const auto now = Clock::now();
        const bool each = pacing_ > 0 || status_.paused;  // these frames are looked at one by one
        if ((now < next_cells_ && !each) || !simulation_.forces_fresh()) return;
        auto cells = simulation_.system().engine_cells(most_cells_);
        cells_ = cells.empty() ? nullptr : std::make_shared<const std::vector<TreeCell>>(std::move(cells));
        const Seconds gap = std::max(kCellsPeriod, kMeasureShare * Seconds{Clock::now() - now});
        next_cells_ = now + std::chrono::duration_cast<Clock::duration>(gap);
    }

    void measure_forces() {
        const auto start = Clock::now();
        const BodySystem& system = simulation_.system();
        const Law law = law_of(simulation_.engine_config());
        const std::size_t samples = law == Law::kGravity
                                        ? std::clamp<std::size_t>(1'500'000 / system.count(), 8, 256)
                                        : affordable_samples(law, 256, system.count(), 3e6);  // some 20 ms
        status_.error = system.force_error(simulation_.gravity(), samples);
        status_.net_force = net_force(simulation_.scene().bodies.position_mass, system.accelerations());
        const auto end = Clock::now();
        const Seconds gap = std::max(kErrorPeriod, kMeasureShare * Seconds{end - start});
        next_error_ = end + std::chrono::duration_cast<Clock::duration>(gap);
    }
    void forget_measurements() {
        status_.error.reset();
        status_.net_force.reset();
        status_.engine_report = {};
        cells_.reset();  // of another engine, or of other bodies
        next_error_ = next_report_ = next_cells_ = Clock::now();
    }

    void adopt_scene() {
        const Scene& scene = simulation_.scene();
        ++status_.scene_serial;
        status_.scene_id = scene.id;
        status_.scene_label = scene.label;
        status_.days_per_time = scene.days_per_time;
        status_.steps_per_frame = scene.steps_per_frame;
        status_.speed_limit = 60.0 * scene.steps_per_frame;
        status_.loading = false;
        status_.message.clear();
        forces_.clear();
        forget_measurements();
        steps_rate_.restart();
        next_step_ = Clock::now();
        theta_.clear();
        energy_.restart(simulation_, status_);
    }

    /// Keeps the last good frame and stops when the state has gone wrong.
    void publish_frame(bool paced = false) {
        if (const auto body = simulation_.system().first_not_finite()) {
            status_.paused = true;
            environment_error(
                fmt::format("body {} is no longer finite after step {}: stopped; a smaller dt or a larger "
                            "softening may help",
                            *body, simulation_.steps()));
        }
        simulation_.fill(frames_.back());
        take_cells();
        frames_.back().cells = cells_;
        frames_.back().paced = paced;
        frames_.publish();
        last_publish_ = Clock::now();
    }

    /// The present state, for what a person has just changed; never in place of a frame that a recording waits for.
    void show_now() {
        if (!waiting_for_window_) publish_frame();
    }

    void publish_paced_frame() {
        waiting_for_window_ = true;
        {
            const std::lock_guard lock{mutex_};
            acknowledged_ = false;
        }
        publish_frame(true);
    }

    void publish_status() {
        status_.bodies = simulation_.system().count();
        status_.engine = simulation_.engine_config();
        status_.engine_choice = simulation_.system().engine_choice();
        status_.gravity = simulation_.gravity();
        status_.dt = simulation_.dt();
        status_.time = simulation_.time();
        status_.step = simulation_.steps();
        status_.force_progress = simulation_.force_progress();
        status_.force = forces_.timing();
        status_.steps_per_second = status_.paused ? 0 : steps_rate_.rate();
        const auto n = static_cast<double>(status_.bodies);
        status_.pairs_per_second = status_.force.median > 0 ? n * n / status_.force.median : 0;
        if (auto sweep = theta_.take()) status_.theta_sweep = std::move(*sweep);
        last_status_ = Clock::now();
        const std::lock_guard lock{mutex_};
        published_ = status_;
    }

    TripleBuffer<Frame>& frames_;
    SceneRequest request_;
    Simulation simulation_;
    EnergyWatch energy_;
    BackgroundThetaSweep theta_;
    std::shared_ptr<const std::vector<TreeCell>> cells_;
    std::size_t most_cells_ = 0;
    Status status_;
    TimingWindow forces_;
    RateMeter steps_rate_;
    Clock::time_point next_step_{}, next_error_{}, next_report_{}, next_cells_{}, last_publish_{}, last_status_{};
    bool waiting_for_window_ = false;
    int single_steps_ = 0, pacing_ = 0, paced_steps_ = 0;

    mutable std::mutex mutex_;  // guards the mailbox: what follows
    std::condition_variable_any wake_;
    std::deque<Action> inbox_;
    bool acknowledged_ = false;
    Status published_;

    std::jthread thread_;  // last: it uses all of the above, and is the first to go
};

SimulationThread::SimulationThread(const SceneRequest& request, const EngineConfig& engine)
    : worker_{std::make_unique<Worker>(frames_, request, engine)} {}
SimulationThread::~SimulationThread() = default;
void SimulationThread::send(Action action) { worker_->send(std::move(action)); }
void SimulationThread::acknowledge_frame() { worker_->acknowledge(); }
Status SimulationThread::status() const { return worker_->status(); }

}  // namespace orrery
