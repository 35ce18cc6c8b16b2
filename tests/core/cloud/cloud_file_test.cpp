// SPDX-License-Identifier: MIT
// The contents of a cloud file, and which files are refused.
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <map>

#include "core/formats/formats.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/core/cloud/clouds.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Eight fields are in the snapshot, of which a cloud takes up to four.
Scene with_fields(std::size_t count, std::size_t fields) {
    Scene scene = concentrated(count);
    for (std::size_t f = 0; f < fields; ++f) {
        std::vector<float> values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(i % 11 == f ? NAN : static_cast<float>(i * (f + 1)) + 0.25f);
        scene.bodies.fields.push_back(make_field("F" + std::to_string(f), f == 1 ? "K" : "", values, f == 2));
    }
    return scene;
}

class CloudFiles : public Scratch {
protected:
    std::filesystem::path written(const Scene& scene, const CloudPlan& plan = kSmallCells,
                                  const std::string& name = "x.cloud") const {
        write_cloud(*cloud_source(scene), path(name), plan);
        return path(name);
    }
};

TEST_F(CloudFiles, ContainEveryBodyExactlyOnce) {
    for (const bool equal : {true, false}) {
        const Scene scene = concentrated(20'000, equal);
        const CloudFile file{written(scene)};
        EXPECT_EQ(file.about().bodies, 20'000u);
        EXPECT_EQ(file.about().with_masses, !equal);
        EXPECT_EQ(file.about().with_species, !equal);
        EXPECT_EQ(file.about().time, 3.5);
        EXPECT_EQ(file.about().length_unit, "kpc");
        CloudColumns all;
        for (std::uint32_t node = 0; node < file.nodes().size(); ++node) {
            const CloudColumns own = file.read(node);
            for (std::size_t i = 0; i < own.size(); ++i) all.append(own, i);
        }
        EXPECT_TRUE(rows(file, all) == rows(scene.bodies));
    }
}

/// Seeds and findings of the fuzzer (tests/fuzz/cloud_fuzz.cpp).
TEST_F(CloudFiles, FromTheFuzzCorpusAreReadOrRefusedInOneLine) {
    std::size_t sound = 0, refused = 0;
    for (const auto& entry : std::filesystem::directory_iterator{ORRERY_CORPUS "/cloud"}) {
        SCOPED_TRACE(entry.path().string());
        try {
            const CloudFile file{entry.path()};
            for (std::uint32_t node = 0; node < file.nodes().size(); ++node) file.read(node);
            ++sound;
        } catch (const Error& error) {
            const std::string text = error.what();
            EXPECT_EQ(error.blame(), Blame::kUsage) << text;
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
            EXPECT_TRUE(text.starts_with(entry.path().string())) << text;
            ++refused;
        }
    }
    EXPECT_GE(sound, 3u);
    EXPECT_GE(refused, 2u);
}

/// Summed over the cells of a level and the leaves above it.
TEST_F(CloudFiles, ConserveBodyCountAndMassAtEveryLevel) {
    const Scene scene = concentrated(20'000);
    double mass = 0;
    for (const Vec4d& p : scene.bodies.position_mass) mass += static_cast<double>(static_cast<float>(p.w));
    const CloudFile file{written(scene)};
    int deepest = 0;
    for (const CloudNode& node : file.nodes()) deepest = std::max(deepest, node.level());
    ASSERT_GT(deepest, 5);
    for (int level = 0; level <= deepest; ++level) {
        std::uint64_t bodies = 0;
        double sum = 0;
        for (const CloudNode& node : file.nodes())
            if (node.level() == level || (node.level() < level && node.children == 0))
                bodies += node.bodies, sum += node.mass;
        EXPECT_EQ(bodies, 20'000u) << level;
        EXPECT_NEAR(sum, mass, 1e-12 * mass) << level;
    }
    EXPECT_DOUBLE_EQ(file.about().total_mass, mass);
}

/// Each body is drawn with the same probability: the sample divides between two halves of a cell as the bodies do.
TEST_F(CloudFiles, HaveUniformRandomSamples) {
    Random random{3};
    Scene scene;
    for (int i = 0; i < 100'000; ++i) scene.bodies.add({random.uniform(), random.uniform(), random.uniform()}, {}, 1);
    const CloudFile file{written(scene, {.sample = 1024, .leaf = 2048})};
    const CloudColumns root = file.read(0);
    EXPECT_NEAR(static_cast<double>(root.size()), 1024, 5 * 32);
    for (const auto axis : {&Vec4f::x, &Vec4f::y, &Vec4f::z}) {
        const auto left = std::ranges::count_if(root.places, [&](const Vec4f& p) { return p.*axis < 0.5f; });
        EXPECT_NEAR(static_cast<double>(left), static_cast<double>(root.size()) / 2, 5 * 16);
    }
}

TEST_F(CloudFiles, AreBitwiseEqualOnEveryWriteAndWithAnyMemory) {
    const Scene scene = concentrated(40'000);
    CloudPlan plan = kSmallCells;
    const std::string once = content(written(scene, plan));
    EXPECT_TRUE(content(written(scene, plan, "again.cloud")) == once);
    for (const std::size_t kilobytes : {64, 1024}) {  // 800 bodies at a time: seven levels on disk, and more below them
        plan.memory = kilobytes << 10;
        EXPECT_TRUE(content(written(scene, plan, "little.cloud")) == once) << kilobytes;
    }
    EXPECT_EQ(files(), 3u);
}

TEST_F(CloudFiles, CombineSeveralSnapshots) {
    const Scene scene = concentrated(3000, true);
    Scene first = scene, second = scene;
    first.bodies.position_mass.resize(1000), first.bodies.velocity.resize(1000);
    second.bodies.position_mass.erase(second.bodies.position_mass.begin(), second.bodies.position_mass.begin() + 1000);
    second.bodies.velocity.erase(second.bodies.velocity.begin(), second.bodies.velocity.begin() + 1000);
    write_snapshot(first, path("a.tipsy"));
    write_snapshot(second, path("b.tipsy"));
    write_snapshot(scene, path("all.csv"));
    const std::vector<std::string> both{path("a.tipsy").string(), path("b.tipsy").string()},
        one{path("all.csv").string()};
    write_cloud(*cloud_source(both), path("parts.cloud"), kSmallCells);
    write_cloud(*cloud_source(one), path("all.cloud"), kSmallCells);
    const CloudFile parts{path("parts.cloud")}, all{path("all.cloud")};
    EXPECT_EQ(parts.nodes().size(), all.nodes().size());
    EXPECT_TRUE(rows(parts, parts.read(0)) == rows(all, all.read(0)));
}

/// Native files of several parts, read one part at a time: the cloud equals that of all bodies at once.
TEST_F(CloudFiles, AreEqualForFilesReadInPartsAndWhole) {
    const auto compare = [&](const std::filesystem::path& file, std::size_t count) {
        SCOPED_TRACE(file.filename().string());
        std::size_t told = 0, largest = 0, parts = 0;
        const Scene about = read_snapshot_in_parts(
            file, [&](const Bodies& some) { told += some.size(), largest = std::max(largest, some.size()), ++parts; });
        EXPECT_EQ(told, count);
        EXPECT_LT(largest, count);
        EXPECT_GT(parts, 1u);
        EXPECT_EQ(about.bodies.size(), 0u);
        Scene whole = read_snapshot(file);
        EXPECT_EQ(about.notes, whole.notes);
        write_cloud(*cloud_source(std::move(whole)), path("whole.cloud"));
        write_cloud(*cloud_source(std::vector<std::string>{file.string()}), path("parts.cloud"));
        EXPECT_TRUE(content(path("whole.cloud")) == content(path("parts.cloud")));
    };
    constexpr std::size_t kCount = 140'000;
    for (const bool equal : {true, false}) {
        Scene scene = concentrated(kCount, equal);
        scene.dt = 0.5, scene.gravity.softening = 0.25, scene.days_per_time = 2;
        write_snapshot(scene, path("scene.orrery"));
        compare(path("scene.orrery"), kCount);
        write_snapshot(scene, path("scene.h5"));
        compare(path("scene.h5"), kCount);
    }
    Scene scene = concentrated(kCount);
    scene.dt = 0.5;
    const Simulation simulation{scene, {.engine = "tree", .backend = Backend::kCpu, .precision = Precision::kSingle}};
    write_checkpoint(checkpoint_of(simulation, {}), path("run.orrery"));
    compare(path("run.orrery"), kCount);
}

TEST_F(CloudFiles, ContainOneBodyOrManyCoincidentOnes) {
    Scene one;
    one.bodies.add({1e30, -4, 2}, {3, 4, 0}, 1);
    const CloudFile file{written(one)};
    EXPECT_TRUE(rows(file, file.read(0)) == rows(one.bodies));
    Scene many;
    for (int i = 0; i < 3000; ++i) many.bodies.add({1, 2, 3}, {}, 1);
    many.bodies.add({2, 2, 3}, {}, 1);
    const CloudFile deep{written(many)};
    EXPECT_EQ(deep.nodes().back().level(), kDeepestCloudNode);
    CloudPlan plan = kSmallCells;
    plan.memory = 1000 * 80;
    expect_error([&] { written(many, plan); }, Blame::kUsage, "3000 bodies at the same position");
}

/// A source that is read in parts.
class InParts : public CloudSource {
public:
    explicit InParts(std::vector<Bodies> parts) : parts_{std::move(parts)} {}
    std::string name() const override { return "parts"; }
    void read(const Take& take) override {
        for (const Bodies& part : parts_) take(part, {});
    }
    const Scene& about() const override { return about_; }

private:
    std::vector<Bodies> parts_;
    Scene about_;
};

TEST_F(CloudFiles, ValidateAllPartsTogether) {
    Bodies tracers, stars;
    for (int i = 0; i < 5; ++i) tracers.add({0.1 * i, 0, 0}, {}, 0), stars.add({0, 0.1 * i, 0}, {}, 1);
    InParts sound{{tracers, stars}};
    EXPECT_EQ(write_cloud(sound, path("a.cloud")).bodies, 10u) << "tracers alone have no mass";
    InParts massless{{tracers, tracers}};
    expect_error([&] { write_cloud(massless, path("b.cloud")); }, Blame::kUsage, "no body has a mass");
    stars.velocity[2].y = std::numeric_limits<double>::infinity();
    InParts bad{{tracers, stars}};
    expect_error([&] { write_cloud(bad, path("b.cloud")); }, Blame::kUsage, "parts: body 7");
}

/// Returns different bodies each time, but as many: a file that is overwritten while it is read.
class Changing final : public CloudSource {
public:
    std::string name() const override { return "changing"; }
    void read(const Take& take) override {
        ++pass_;
        Bodies bodies;
        Random random{pass_};
        for (int i = 0; i < 1'500'000; ++i) bodies.add(random.direction(), {}, 1);
        take(bodies, {});
    }
    const Scene& about() const override { return about_; }

private:
    std::uint64_t pass_ = 0;
    Scene about_;
};

TEST_F(CloudFiles, AreNotWrittenWhenBodiesChangeBetweenPasses) {
    Changing source;
    expect_error([&] { write_cloud(source, path("a.cloud"), {.memory = CloudPlan::kLeastMemory}); }, Blame::kUsage,
                 "changing: changed while it was read");
    EXPECT_EQ(files(), 0u);
}

TEST_F(CloudFiles, AreNotWrittenWhenTheInputFileChanges) {
    write_snapshot(concentrated(2000), path("a.tipsy"));
    const auto source = cloud_source(std::vector<std::string>{path("a.tipsy").string()});
    source->read([](const Bodies&, std::span<const std::span<const float>>) {});
    write_snapshot(concentrated(2000, true), path("b.tipsy"));
    save("a.tipsy", content(path("b.tipsy")));
    expect_error([&] { write_cloud(*source, path("a.cloud")); }, Blame::kUsage, "a.tipsy: changed while it was read");
    EXPECT_FALSE(exists(path("a.cloud")));
}

TEST_F(CloudFiles, RefuseUnrepresentableBodies) {
    Scene scene = concentrated(10, true);
    scene.bodies.position_mass[3].x = 1e300;
    expect_error([&] { written(scene); }, Blame::kUsage, "body 3", "single precision");
    scene.bodies.position_mass[3].x = std::numeric_limits<double>::quiet_NaN();
    expect_error([&] { written(scene); }, Blame::kUsage, "body 3");
    expect_error([&] { written(Scene{}); }, Blame::kUsage, "no bodies");
    EXPECT_EQ(files(), 0u);
}

TEST_F(CloudFiles, RefuseEveryTruncationAndEveryChangedByte) {
    const std::string whole = content(written(with_fields(600, 2), kSmallCells));
    const auto read_all = [&](const std::string& bytes) {
        const CloudFile file{save("bad.cloud", bytes)};
        for (std::uint32_t node = 0; node < file.nodes().size(); ++node) file.read(node);
    };
    read_all(whole);
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 300) {
        SCOPED_TRACE(size);
        expect_error([&] { read_all(whole.substr(0, size)); }, Blame::kUsage, "bad.cloud");
    }
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 2000) {
        SCOPED_TRACE(at);
        std::string changed = whole;
        changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ 0x11u);
        expect_error([&] { read_all(changed); }, Blame::kUsage, "bad.cloud");
    }
    expect_error([&] { read_all(whole + "x"); }, Blame::kUsage, "bad.cloud");
}

/// With valid checksums, as a malicious program would write them.
TEST_F(CloudFiles, RefuseInconsistentContents) {
    const std::string whole = content(written(concentrated(600), kSmallCells));
    const CloudFile sound{path("x.cloud")};
    const auto with = [&](const auto& change) {
        CloudAbout about = sound.about();
        std::vector<CloudNode> nodes = sound.nodes();
        change(about, nodes);
        std::vector<std::byte> table(nodes.size() * CloudNode::kBytes);
        for (std::size_t i = 0; i < nodes.size(); ++i) encode(nodes[i], table.data() + i * CloudNode::kBytes);
        about.table_checksum = cloud_checksum(table, cloud_checksum({}));
        const auto end = encode(about);
        std::string bytes = whole.substr(0, static_cast<std::size_t>(sound.about().table));
        bytes.append(reinterpret_cast<const char*>(table.data()), table.size());
        bytes.append(reinterpret_cast<const char*>(end.data()), end.size());
        const CloudFile file{save("bad.cloud", bytes)};
        for (std::uint32_t node = 0; node < file.nodes().size(); ++node) file.read(node);
    };
    using A = CloudAbout&;
    using N = std::vector<CloudNode>&;
    with([](A, N) {});
    const auto refused = [&](const auto& change) { expect_error([&] { with(change); }, Blame::kUsage, "bad.cloud"); };
    refused([](A about, N) { about.nodes = ~std::uint64_t{0}; });
    refused([](A about, N) { about.nodes = 0; });
    refused([](A about, N) { about.bodies = ~std::uint64_t{0}; });
    refused([](A about, N) { about.bodies -= 1; });
    refused([](A about, N) { about.table = 0; });
    refused([](A about, N) { about.with_species = false; });
    refused([](A about, N) { about.cube.side = 0; });
    refused([](A about, N) { about.cube.side = std::numeric_limits<double>::infinity(); });
    refused([](A about, N) { about.total_mass = std::numeric_limits<double>::quiet_NaN(); });
    refused([](A, N nodes) { nodes[0].offset = ~std::uint64_t{0} - 3; });
    refused([](A, N nodes) { nodes[1].offset += 16; });
    refused([](A, N nodes) { nodes[0].own = ~std::uint32_t{0}; });
    refused([](A, N nodes) { nodes[0].children = 200; });
    refused([](A, N nodes) { nodes[0].first_child = 0; });
    refused([](A, N nodes) { nodes[1].first_child = 1, nodes[1].children = 1; });
    refused([](A, N nodes) { nodes[1].key = nodes[2].key; });
    refused([](A, N nodes) { nodes[1].key = 0; });
    refused([](A, N nodes) { nodes[0].bodies += 1; });
    refused([](A, N nodes) { nodes[1].bodies = ~std::uint64_t{0}; });
    refused([](A, N nodes) { nodes.back().shown = 0; });
    refused([](A, N nodes) { nodes[0].mass = -1; });
}

/// Each body with its values, whatever the memory.
TEST_F(CloudFiles, KeepTheFieldsOfEachBody) {
    const Scene scene = with_fields(20'000, 4);
    const CloudFile file{written(scene)};
    EXPECT_EQ(file.about().fields,
              (std::vector<CloudField>{{"F0", "", false}, {"F1", "K", false}, {"F2", "", true}, {"F3", "", false}}));
    std::map<std::array<float, 5>, std::array<float, 4>> expected;  // by place and mass; NaN as −1
    const auto known = [](float value) { return std::isnan(value) ? -1.0f : value; };
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec4f p = convert<float>(scene.bodies.position_mass[i]);
        const auto value = [&](std::size_t f) { return known((*scene.bodies.fields[f].values)[i]); };
        expected[{p.x, p.y, p.z, p.w, 0}] = {value(0), value(1), value(2), value(3)};
    }
    std::size_t bodies = 0;
    for (std::uint32_t node = 0; node < file.nodes().size(); ++node) {
        const CloudColumns own = file.read(node);
        for (std::size_t i = 0; i < own.size(); ++i, ++bodies) {
            const Vec4f& p = own.places[i];
            const auto found = expected.find({p.x, p.y, p.z, own.masses[i], 0});
            ASSERT_NE(found, expected.end());
            for (std::size_t f = 0; f < 4; ++f) ASSERT_EQ(known(own.fields[f][i]), found->second[f]);
        }
    }
    EXPECT_EQ(bodies, scene.bodies.size());
    EXPECT_EQ(file.about().bytes_per_body(), 16u + 4 + 1 + 4 * 4);
    CloudPlan little = kSmallCells;
    little.memory = 100'000;
    EXPECT_EQ(content(written(scene, little, "little.cloud")), content(path("x.cloud")));
}

TEST_F(CloudFiles, TakeFieldsOfSnapshotsByName) {
    write_snapshot(with_fields(3000, 8), path("a.ply"));
    const std::vector<std::string> snapshots{path("a.ply").string(), path("a.ply").string()};
    write_cloud(*cloud_source(snapshots, {"F7", "f1"}), path("x.cloud"), kSmallCells);
    const CloudFile file{path("x.cloud")};
    EXPECT_EQ(file.about().fields, (std::vector<CloudField>{{"F7", "", false}, {"F1", "K", false}}));
    double sum = 0;
    std::size_t missing = 0;
    for (std::uint32_t node = 0; node < file.nodes().size(); ++node) {
        const CloudColumns own = file.read(node);
        for (const float value : own.fields[1])
            std::isnan(value) ? void(++missing) : void(sum += static_cast<double>(value));
    }
    double expected = 0;
    for (std::size_t i = 0; i < 3000; ++i)
        if (i % 11 != 1) expected += 2 * (2.0 * static_cast<double>(i) + 0.25);
    EXPECT_DOUBLE_EQ(sum, expected);
    EXPECT_EQ(missing, 2u * 273);
}

TEST_F(CloudFiles, RefuseAFifthFieldAndUnknownOnes) {
    write_snapshot(with_fields(100, 8), path("a.ply"));
    const std::vector<std::string> snapshot{path("a.ply").string()};
    expect_error(
        [&] {
            cloud_source(snapshot, {"F0", "F1", "F2", "F3", "F4"});
        },
        Blame::kUsage, "a.ply", "5 fields", "up to 4");
    expect_error([&] { cloud_source(with_fields(100, 5)); }, Blame::kUsage, "5 fields");
    expect_error([&] { cloud_source(snapshot, {"F9"}); }, Blame::kUsage, "has no field F9");
}

/// A cloud without fields has the bytes of the first version.
TEST_F(CloudFiles, WithoutFieldsAreOfTheFirstVersion) {
    const std::string bytes = content(written(concentrated(300)));
    EXPECT_EQ(bytes[8], 1);
    EXPECT_EQ(content(written(with_fields(300, 1)))[8], 2);
    std::string mixed = content(path("x.cloud"));
    mixed[8] = 1;
    expect_error([&] { CloudFile{save("bad.cloud", mixed)}; }, Blame::kUsage, "bad.cloud");
}

/// A limit on the file size stands in for a full disk, for the cloud and for its temporary file.
TEST_F(CloudFiles, LeaveNothingWhenTheDiskIsFull) {
    save("x.cloud", "old");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{65536, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    CloudPlan plan = kSmallCells;
    for (const std::size_t kilobytes : {64, 1 << 20}) {
        plan.memory = kilobytes << 10;
        expect_error([&] { written(concentrated(20'000), plan); }, Blame::kEnvironment,
                     path("").parent_path().string());
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(content(path("x.cloud")), "old");
    EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace orrery::test
