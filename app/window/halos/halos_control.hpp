// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/features.hpp"
#include "app/window/halos/halos_page.hpp"
#include "app/window/window_core.hpp"
#include "core/base/background_job.hpp"
#include "core/catalogues/scene_halos.hpp"

namespace orrery {

class HandControl;
class RecordingControl;
class SceneControl;

/// The page Haloes: reads catalogues and finds the bodies of haloes on a thread, moves the camera to a halo and picks
/// its bodies, and places the circles of each frame.
class HalosControl final : public Feature {
public:
    HalosControl(WindowCore& core, HandControl& hand, RecordingControl& recording, const SceneControl& scenes);

    void update() override;
    void apply(const UiRequests& requests) override;
    bool has_news() const override { return work_.busy(); }

private:
    /// A catalogue to be read, or a halo whose bodies are to be found.
    struct Job {
        std::vector<std::string> sources;  ///< of the scene
        std::string path;                  ///< of the catalogue; empty: find bodies
        std::shared_ptr<const HaloCatalogue> catalogue;
        std::uint32_t halo = kNoHalo;
    };
    struct News {
        std::shared_ptr<const HaloCatalogue> catalogue;
        std::shared_ptr<const Progenitors> progenitors;  ///< null: the catalogue has no tree
        std::optional<std::size_t> time;
        std::optional<HaloMembers> members;
        std::string failure;
        bool done = false;
    };
    using Work = BackgroundJob<Job, News>;
    /// The haloes that are drawn, and what they depend on.
    struct Drawn {
        std::shared_ptr<const HaloCatalogue> catalogue;
        std::optional<std::size_t> time;
        std::size_t circles = 0;
        std::uint32_t lit = kNoHalo;
        std::vector<std::uint32_t> rows;
    };

    HalosPage& page() { return core_.state.own.of<HalosPage>(); }
    static void work(const Work::Task& task);
    std::vector<std::string> sources() const;
    void take_news();
    void open(const std::string& path);
    void choose(std::uint32_t halo);
    void show_tree(std::uint32_t root);
    void list_rows();
    const std::vector<std::uint32_t>& drawn_rows();
    void place_marks();

    WindowCore& core_;
    HandControl& hand_;
    RecordingControl& recording_;
    const SceneControl& scenes_;
    std::shared_ptr<const Progenitors> progenitors_;
    Drawn drawn_;
    std::uint64_t scene_ = 0;  // serial of the scene that the catalogue belongs to
    HaloListing listed_;       // by which the rows are sorted
    bool begun_ = false;       // the catalogue of the command line has been requested
    Work work_;
};

}  // namespace orrery
