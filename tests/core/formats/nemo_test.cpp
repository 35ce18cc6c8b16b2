// SPDX-License-Identifier: MIT
// Structured files like those of NEMO's own programs, built item by item.
#include "core/formats/nemo.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/formats/binary.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Builds the bytes of a structured file in one byte order.
class Structured {
public:
    explicit Structured(std::endian order) : order_{order} {}
    template <class T>
    Structured& put(T value) {
        std::array<std::byte, sizeof(T)> raw;
        std::byte* to = raw.data();
        store(to, value, order_);
        bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size());
        return *this;
    }
    Structured& head(const char* type, const char* tag, const std::vector<int>& dims = {}) {
        put(std::uint16_t(dims.empty() ? 0x0992 : 0x0B92));
        bytes.append(type, std::strlen(type) + 1);
        if (*type != ')') bytes.append(tag, std::strlen(tag) + 1);
        for (const int dim : dims) put(std::int32_t{dim});
        if (!dims.empty()) put(std::int32_t{0});
        return *this;
    }
    template <class T>
    Structured& item(const char* type, const char* tag, const std::vector<int>& dims, const std::vector<T>& values) {
        head(type, tag, dims);
        for (const T value : values) put(value);
        return *this;
    }
    Structured& text(const char* tag, const std::string& words) {
        head("c", tag, {static_cast<int>(words.size() + 1)});
        bytes.append(words.c_str(), words.size() + 1);
        return *this;
    }
    Structured& begin(const char* tag) { return head("(", tag); }
    Structured& end() { return head(")", ""); }

    std::string bytes;

private:
    std::endian order_;
};

/// Two bodies in the layout of mkplummer.
template <class Real>
std::string classic(std::endian order, const char* type, double time = 2.5) {
    Structured f{order};
    f.text("History", "mkplummer p 2 VERSION=2.8").begin("SnapShot").begin("Parameters");
    f.item<std::int32_t>("i", "Nobj", {}, {2}).template item<Real>(type, "Time", {}, {Real(time)}).end();
    f.begin("Particles").template item<std::int32_t>("i", "CoordSystem", {}, {0201402});
    f.template item<Real>(type, "Mass", {2}, {Real(0.25), Real(0.75)});
    f.template item<Real>(type, "PhaseSpace", {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    f.template item<Real>(type, "Potential", {2}, {-1, -2});
    f.template item<std::int32_t>("i", "Key", {2}, {17, 4});
    f.end().end();
    return f.bytes;
}

class Nemo : public Scratch {};

TEST_F(Nemo, ReadsFloatAndDoubleInBothByteOrders) {
    for (const std::endian order : {std::endian::little, std::endian::big})
        for (const std::string& bytes : {classic<float>(order, "f"), classic<double>(order, "d")}) {
            const Scene scene = read_snapshot(save("snapshot", bytes));
            ASSERT_EQ(scene.bodies.size(), 2u);
            EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{7, 8, 9, 0.75}));
            EXPECT_EQ(scene.bodies.velocity[0], (Vec3d{4, 5, 6}));
            EXPECT_EQ(scene.bodies.ids, (std::vector<std::uint64_t>{17, 4}));
            EXPECT_EQ(scene.time, 2.5);
            EXPECT_EQ(scene.gravity.constant, 1);
        }
}

// gyrfalcON and ZENO store positions and velocities separately; masses may be in the first snapshot only.
TEST_F(Nemo, ReadsTheLastSnapshotWithBodies) {
    Structured f{std::endian::little};
    f.bytes = classic<double>(std::endian::little, "d");
    f.begin("SnapShot").begin("Parameters").item<std::int32_t>("i", "Nobj", {}, {2});
    f.item<double>("d", "Time", {}, {3.5}).end().begin("Particles");
    f.item<float>("f", "Position", {2, 3}, {1, 1, 1, 2, 2, 2}).item<float>("f", "Velocity", {2, 3}, {0, 0, 1, 0, 0, 2});
    f.item<float>("f", "Eps", {2}, {0.125f, 0.125f}).end().end();
    f.begin("SnapShot").begin("Diagnostics").item<double>("d", "Energy", {3}, {1, 2, 3}).end().end();
    const Scene scene = read_snapshot(save("run.nemo", f.bytes));
    EXPECT_EQ(scene.time, 3.5);
    EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{2, 2, 2, 0.75}));
    EXPECT_EQ(scene.bodies.velocity[1], (Vec3d{0, 0, 2}));
    EXPECT_EQ(scene.gravity.softening, 0.125);
    EXPECT_THAT(scene.notes, testing::Contains(testing::HasSubstr("2 snapshots, of which the last")));
}

TEST_F(Nemo, ErrorsNameTheCauseAndThePosition) {
    const auto edited = [&](const std::function<void(Structured&)>& particles) {
        Structured f{std::endian::little};
        f.begin("SnapShot").begin("Parameters").item<std::int32_t>("i", "Nobj", {}, {2}).end().begin("Particles");
        particles(f);
        f.end().end();
        return save("bad.nemo", f.bytes);
    };
    const auto refused = [&](const std::function<void(Structured&)>& particles, const char* why) {
        const auto path = edited(particles);
        expect_error([&] { read_snapshot(path); }, Blame::kUsage, "bad.nemo", "byte", why);
    };
    const std::vector<double> mass{1, 2}, phase{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    refused([&](Structured& f) { f.item("d", "PhaseSpace", {2, 2, 3}, phase); }, "Mass is missing");
    refused([&](Structured& f) { f.item("d", "Mass", {2}, mass); }, "no SnapShot with positions");
    refused(
        [&](Structured& f) {
            f.item("d", "Mass", {2}, mass).item("d", "PhaseSpace", {3, 2, 2}, phase);
        },
        "item PhaseSpace: expected");
    refused(
        [&](Structured& f) {
            f.item("d", "Mass", {1}, std::vector<double>{1}).item("d", "PhaseSpace", {2, 2, 3}, phase);
        },
        "item Mass: expected");
    refused(
        [&](Structured& f) {
            f.item("d", "Mass", {2}, std::vector<double>{1, -2}).item("d", "PhaseSpace", {2, 2, 3}, phase);
        },
        "body 1: expected a non-negative finite number as mass");
    refused(
        [&](Structured& f) {
            std::vector<double> wrong = phase;
            wrong[10] = std::nan("");
            f.item("d", "Mass", {2}, mass).item("d", "PhaseSpace", {2, 2, 3}, wrong);
        },
        "body 1: expected a finite number as vy, found nan");
    refused([&](Structured& f) { f.item<std::int32_t>("i", "CoordSystem", {}, {02 << 16}); }, "Cartesian");
    refused([&](Structured& f) { f.head("q", "Mass"); }, "no type of an item");
    refused([&](Structured& f) { f.head("d", "Mass", {2000000000}); }, "a dimension that the file has room for");
    refused([&](Structured& f) { f.end().end().end(); }, "the end of a set that has no beginning");
    Structured nan{std::endian::little};
    const std::string whole = classic<double>(std::endian::little, "d");
    expect_error([&] { read_snapshot(save("cut.nemo", whole.substr(0, whole.size() - 4))); }, Blame::kUsage, "cut.nemo",
                 "truncated");
    Structured cut{std::endian::little};
    cut.head("d", "Mass", {2}).put(1.0);
    expect_error([&] { read_snapshot(save("cut.nemo", cut.bytes)); }, Blame::kUsage, "cut.nemo: byte 0: truncated",
                 "item Mass has 16 bytes of data, of which 8 are there");
}

/// A snapshot of `bodies` bodies of mass 1; `more` adds items to its set Particles.
std::string snapshot_of(int bodies, const std::function<void(Structured&)>& more, bool massive = true) {
    Structured f{std::endian::little};
    f.begin("SnapShot").begin("Parameters").item<std::int32_t>("i", "Nobj", {}, {bodies}).end().begin("Particles");
    const auto n = static_cast<std::size_t>(bodies);
    if (massive) f.item("d", "Mass", {bodies}, std::vector<double>(n, 1.0));
    f.item("d", "Position", {bodies, 3}, std::vector<double>(3 * n, 2.0));
    more(f);
    f.end().end();
    return f.bytes;
}

TEST_F(Nemo, UsesTheMedianOfTheValidSoftenings) {
    const auto softening = [&](const std::vector<float>& lengths) {
        const auto more = [&](Structured& f) { f.item("f", "Eps", {static_cast<int>(lengths.size())}, lengths); };
        const Scene scene = read_snapshot(save("a", snapshot_of(static_cast<int>(lengths.size()), more)));
        return scene.gravity.softening;
    };
    EXPECT_EQ(softening({0.5f, 0.125f, 0.25f}), 0.25);
    EXPECT_EQ(softening({0.5f, -1, 0.125f, 0.25f}), 0.25);
    EXPECT_EQ(softening({0, 0, 1}), 0);
    EXPECT_EQ(softening({0, std::numeric_limits<float>::infinity(), 1}), 1);
    EXPECT_EQ(softening({-1, -1}), 0);
}

TEST_F(Nemo, AcceptsAnyIntegerType) {
    Structured f{std::endian::big};
    f.begin("SnapShot").begin("Parameters").item<std::int64_t>("l", "NBody", {}, {2});
    f.item<std::int16_t>("s", "Time", {}, {-3}).end().begin("Particles");
    f.item<double>("d", "Mass", {2}, {1, 0}).item<double>("d", "Position", {2, 3}, {1, 2, 3, 4, 5, 6});
    f.item<std::int64_t>("l", "Key", {2}, {1ll << 40, 5}).end().end();
    const Scene scene = read_snapshot(save("a", f.bytes));
    EXPECT_EQ(scene.time, -3);
    EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{4, 5, 6, 0}));
    EXPECT_EQ(scene.bodies.velocity[1], (Vec3d{}));
    EXPECT_EQ(scene.bodies.ids, (std::vector<std::uint64_t>{1ull << 40, 5}));
    EXPECT_THAT(scene.notes, testing::Contains(testing::HasSubstr("assumed to be at rest")));
    EXPECT_THAT(scene.notes, testing::Not(testing::Contains(testing::HasSubstr("snapshots"))));
}

TEST_F(Nemo, RefusesColumnsOfAnotherShapeOrType) {
    const auto refused = [&](const std::function<void(Structured&)>& more, const char* why) {
        const auto bad = save("bad.nemo", snapshot_of(2, more));
        expect_error([&] { read_snapshot(bad); }, Blame::kUsage, "bad.nemo", why);
    };
    refused(
        [](Structured& f) {
            f.item<float>("f", "Velocity", {2}, {1, 2});
        },
        "item Velocity: expected 2 × 3 numbers, found 2");
    refused([](Structured& f) { f.item<float>("f", "Eps", {1}, {1}); }, "item Eps: expected");
    refused([](Structured& f) { f.item<std::int32_t>("i", "Eps", {2}, {1, 1}); }, "expected real numbers");
    refused([](Structured& f) { f.item<float>("f", "Key", {2}, {1, 1}); }, "expected whole numbers");
    refused([](Structured& f) { f.item<std::int16_t>("s", "Key", {2}, {1, 1}); }, "expected whole numbers");
    refused([](Structured& f) { f.item<float>("f", "Mass", {}, {1}); }, "item Mass: expected 2 numbers, found 1");
    refused([](Structured& f) { f.item<std::int32_t>("i", "CoordSystem", {2}, {1, 1}); }, "expected one number");
    refused([](Structured& f) { f.item<std::int32_t>("i", "Mass", {-1}, {}); }, "a dimension that");
    refused([](Structured& f) { f.head("d", "More", {0}); }, "a dimension that");
    refused([](Structured& f) { f.head("d", "More", {2, 2, 2, 2, 2, 2, 2, 2, 2}); }, "a dimension that");
    refused([](Structured& f) { f.head("d", std::string(65, 'x').c_str()); }, "up to 64 letters");
    refused([](Structured& f) { f.head("d", "\x1f"); }, "up to 64 letters");
    refused([](Structured& f) { f.head("d", "\x7f"); }, "up to 64 letters");
    refused([](Structured& f) { f.head("cc", "More"); }, "no type of an item");
}

TEST_F(Nemo, AcceptsItemsUpToTheirLimits) {
    const auto more = [](Structured& f) {
        f.item<char>("c", std::string(64, '~').c_str(), {1, 1, 1, 2, 1, 1, 1, 1}, {'a', 'b'}).head("b", " ").put('x');
        for (int i = 0; i < 6; ++i) f.begin("Deeper");
        for (int i = 0; i < 6; ++i) f.end();
    };
    EXPECT_EQ(read_snapshot(save("a", snapshot_of(2, more))).bodies.size(), 2u);
    const auto deeper = [](Structured& f) {
        for (int i = 0; i < 7; ++i) f.begin("Deeper");
        for (int i = 0; i < 7; ++i) f.end();
    };
    expect_error([&] { read_snapshot(save("b", snapshot_of(2, deeper))); }, Blame::kUsage, "nested at most 8 deep");
}

TEST_F(Nemo, UsesMassesOfAnEarlierSnapshotWithEquallyManyBodies) {
    const auto nothing = [](Structured&) {};
    const std::string first = snapshot_of(2, nothing), without = snapshot_of(2, nothing, false),
                      other = snapshot_of(3, nothing, false);
    EXPECT_EQ(read_snapshot(save("a", first + without)).bodies.position_mass[1].w, 1);
    const std::string second = snapshot_of(
        2,
        [](Structured& f) {
            f.item<float>("f", "Mass", {2}, {3, 4});
        },
        false);
    EXPECT_EQ(read_snapshot(save("a", first + second)).bodies.position_mass[1].w, 4)
        << "the snapshot has its own masses";
    expect_error([&] { read_snapshot(save("b", first + other)); }, Blame::kUsage, "Mass is missing");
    expect_error([&] { read_snapshot(save("c", without)); }, Blame::kUsage, "Mass is missing");
}

TEST_F(Nemo, RefusesInvalidParameters) {
    const auto with = [&](const std::function<void(Structured&)>& parameters) {
        Structured f{std::endian::little};
        f.begin("SnapShot").begin("Parameters");
        parameters(f);
        f.end().begin("Particles").item<double>("d", "Mass", {1}, {1}).item<double>("d", "Position", {1, 3}, {1, 2, 3});
        f.end().end();
        return save("bad.nemo", f.bytes);
    };
    const auto refused = [&](const std::function<void(Structured&)>& parameters, const char* why) {
        const auto bad = with(parameters);
        expect_error([&] { read_snapshot(bad); }, Blame::kUsage, "bad.nemo", why);
    };
    EXPECT_EQ(read_snapshot(with([](Structured& f) { f.item<float>("f", "Nobj", {}, {1}); })).bodies.size(), 1u);
    refused([](Structured&) {}, "Nobj is missing");
    refused([](Structured& f) { f.item<std::int32_t>("i", "Nobj", {}, {0}); }, "found 0");
    refused([](Structured& f) { f.item<double>("d", "Nobj", {}, {1e16}); }, "found 1e+16");
    refused(
        [](Structured& f) { f.item<std::int32_t>("i", "Nobj", {}, {1}).item<double>("d", "Time", {}, {std::nan("")}); },
        "Time: expected a finite number");
}

TEST_F(Nemo, IsRecognisedByItsFirstItem) {
    const auto recognised = [](std::string head, char type, char behind = 0) {
        head += {type, behind, 'S'};
        return format("nemo").recognises(std::as_bytes(std::span{head}), head.size(), "a");
    };
    for (const char* magic : {"\x92\x09", "\x09\x92", "\x92\x0b", "\x0b\x92"}) {
        EXPECT_TRUE(recognised(magic, '('));
        EXPECT_TRUE(recognised(magic, 'c'));
        EXPECT_FALSE(recognised(magic, 'q'));
        EXPECT_FALSE(recognised(magic, 'c', 'x'));
        EXPECT_FALSE(recognised(std::string{magic}.substr(1), '(')) << "needs four bytes";
    }
    for (const char* other : {"\x92\x0a", "\x0a\x92", "xx"}) EXPECT_FALSE(recognised(other, '(')) << other;
}

/// More keys than are in memory at a time.
TEST_F(Nemo, ReadsAnyNumberOfKeys) {
    constexpr int kBodies = (1 << 17) + 2;
    const auto keys = [](Structured& f) {
        f.head("l", "Key", {kBodies});
        for (int i = 0; i < kBodies; ++i) f.put(std::int64_t{i});
    };
    const std::vector<std::uint64_t> ids = read_snapshot(save("a", snapshot_of(kBodies, keys))).bodies.ids;
    ASSERT_EQ(ids.size(), std::size_t{kBodies});
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], i);
}

TEST_F(Nemo, RecognisesOldStyleFiles) {
    const auto head = [](std::uint16_t first, std::uint16_t length, std::string_view name) {
        std::vector<std::byte> bytes(16);
        std::byte* to = bytes.data();
        store(to, first, std::endian::little);
        store(to, length, std::endian::little);
        for (std::size_t i = 0; i < name.size(); ++i) bytes[4 + i] = static_cast<std::byte>(name[i]);
        return bytes;
    };
    using nemo_files::is_old_style;
    EXPECT_TRUE(is_old_style(head(0x0108, 0, "SnapShot")));
    EXPECT_TRUE(is_old_style(head(0x0300, 8, "Mass")));
    EXPECT_FALSE(is_old_style(head(0x0109, 0, "SnapShot"))) << "invalid type";
    EXPECT_FALSE(is_old_style(head(0x0201, 4, "Mass"))) << "missing tag";
    EXPECT_FALSE(is_old_style(head(0x0103, 9, "Mass"))) << "invalid element size";
    EXPECT_FALSE(is_old_style(head(0x0103, 4, "Ma1s")));
    auto bytes = head(0x0103, 4, "Mass");
    bytes.resize(15);
    EXPECT_FALSE(is_old_style(bytes)) << "too short";
}

TEST_F(Nemo, WritesItsItemsInOrder) {
    Scene scene;
    for (const double x : {1.0, 2.0}) scene.bodies.add({x, 2 * x, 3 * x}, {-x, 0, x}, 10 * x);
    scene.bodies.ids = {17, 0x7fffffff};
    scene.gravity.softening = 0.5;
    scene.time = 2.5;
    write_snapshot(scene, path("a.nemo"));
    Structured f{std::endian::little};
    f.begin("SnapShot").begin("Parameters").item<std::int32_t>("i", "Nobj", {}, {2});
    f.item<double>("d", "Time", {}, {2.5}).end().begin("Particles");
    f.item<std::int32_t>("i", "CoordSystem", {}, {0201402}).item<double>("d", "Mass", {2}, {10, 20});
    f.item<double>("d", "PhaseSpace", {2, 2, 3}, {1, 2, 3, -1, 0, 1, 2, 4, 6, -2, 0, 2});
    f.item<double>("d", "Eps", {2}, {0.5, 0.5}).item<std::int32_t>("i", "Key", {2}, {17, 0x7fffffff}).end().end();
    EXPECT_EQ(content(path("a.nemo")), f.bytes);
}

TEST_F(Nemo, LargeIdsAreDropped) {
    Scene scene = read_snapshot(save("a.nemo", classic<double>(std::endian::little, "d")));
    scene.bodies.ids[0] = 1ull << 31;
    write_snapshot(scene, path("b.nemo"));
    EXPECT_TRUE(read_snapshot(path("b.nemo")).bodies.ids.empty());
}

}  // namespace
}  // namespace orrery::test
