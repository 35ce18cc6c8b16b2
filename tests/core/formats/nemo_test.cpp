// SPDX-License-Identifier: MIT
// Structured files as NEMO's own programs write them, made here item by item.
#include "core/formats/nemo.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "core/formats/binary.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Bytes of a structured file in one byte order.
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

/// Two bodies, as mkplummer writes them.
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

// gyrfalcON and ZENO part places from velocities; masses may stand in the first snapshot alone.
TEST_F(Nemo, TakesTheLastSnapshotWithBodies) {
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

TEST_F(Nemo, SaysWhatIsWrongAndWhere) {
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
    refused([&](Structured& f) { f.item<std::int32_t>("i", "CoordSystem", {}, {02 << 16}); }, "Cartesian");
    refused([&](Structured& f) { f.head("q", "Mass"); }, "no type of an item");
    refused([&](Structured& f) { f.head("d", "Mass", {2000000000}); }, "a dimension that the file has room for");
    refused([&](Structured& f) { f.end().end().end(); }, "a set ends that did not begin");
    Structured nan{std::endian::little};
    const std::string whole = classic<double>(std::endian::little, "d");
    expect_error([&] { read_snapshot(save("cut.nemo", whole.substr(0, whole.size() - 4))); }, Blame::kUsage, "cut.nemo",
                 "truncated");
}

TEST_F(Nemo, LargeIdsAreLeftOut) {
    Scene scene = read_snapshot(save("a.nemo", classic<double>(std::endian::little, "d")));
    scene.bodies.ids[0] = 1ull << 31;
    write_snapshot(scene, path("b.nemo"));
    EXPECT_TRUE(read_snapshot(path("b.nemo")).bodies.ids.empty());
}

}  // namespace
}  // namespace orrery::test
