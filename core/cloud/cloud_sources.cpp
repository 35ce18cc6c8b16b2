// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_sources.hpp"

#include <optional>
#include <utility>

#include "core/formats/formats.hpp"

namespace orrery {
namespace {

class SceneSource final : public CloudSource {
public:
    explicit SceneSource(Scene scene) : scene_{std::move(scene)} {}
    std::string name() const override { return scene_.label; }
    void read(const Take& take) override { take(scene_.bodies); }
    const Scene& about() const override { return scene_; }

private:
    Scene scene_;
};

class SnapshotSource final : public CloudSource {
public:
    explicit SnapshotSource(std::vector<std::string> snapshots) : snapshots_{std::move(snapshots)} {}
    std::string name() const override { return snapshots_[at_]; }
    void read(const Take& take) override {
        for (at_ = 0; at_ < snapshots_.size(); ++at_) {
            Scene scene = read_snapshot_in_parts(snapshots_[at_], take);
            if (!about_) about_ = std::move(scene);
        }
        at_ = 0;
    }
    const Scene& about() const override { return *about_; }

private:
    std::vector<std::string> snapshots_;
    std::size_t at_ = 0;
    std::optional<Scene> about_;
};

}  // namespace

std::unique_ptr<CloudSource> cloud_source(Scene scene) { return std::make_unique<SceneSource>(std::move(scene)); }

std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots) {
    return std::make_unique<SnapshotSource>(snapshots);
}

}  // namespace orrery
