// SPDX-License-Identifier: MIT
#include "core/formats/starlight_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/bodies/optics.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/physics/starlight.hpp"
#include "core/physics/units.hpp"
#include "core/simulation/scene_request.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery {
namespace {

constexpr double kA = 0.5, kOmega = 0.3, kHubble = 0.7, kMsun = 1.98841e33, kKpc = 3.0857e21;

/// Two gas bodies and four stars in a flat universe at a = 0.5, in kpc/h and 10¹⁰ solar masses/h, as AREPO writes them.
class StarsAndGas : public test::Scratch {
protected:
    StarsAndGas() { hdf5::silence_library(); }

    std::vector<double> formed{0.25, 0.4999, -0.3, std::numeric_limits<double>::quiet_NaN()};
    std::string formed_name = "GFM_StellarFormationTime";
    double lambda = 0.7;
    bool with_units = true;

    std::filesystem::path write() const {
        hdf5::Writer file{path("snap.hdf5"), 0};
        file.group("Header");
        file.integers("Header", "NumPart_ThisFile", {2, 0, 0, 0, 4, 0});
        file.integers("Header", "NumPart_Total", {2, 0, 0, 0, 4, 0});
        file.integers("Header", "NumFilesPerSnapshot", {1});
        file.numbers("Header", "MassTable", std::vector<double>(6));
        for (const auto& [name, value] : {std::pair{"Time", kA},
                                          {"Redshift", 1 / kA - 1},
                                          {"Omega0", kOmega},
                                          {"OmegaLambda", lambda},
                                          {"HubbleParam", kHubble}})
            file.number("Header", name, value);
        if (with_units)
            for (const auto& [name, value] :
                 {std::pair{"UnitLength_in_cm", kKpc}, {"UnitMass_in_g", 1.989e43}, {"UnitVelocity_in_cm_per_s", 1e5}})
                file.number("Header", name, value);
        species(file, "PartType0", 2);
        species(file, "PartType4", 4);
        column(file, "PartType0/SmoothingLength", {0.5, 2});
        column(file, "PartType0/GFM_Metallicity", {0.0134, 0.0067});
        column(file, "PartType4/" + formed_name, formed);
        column(file, "PartType4/GFM_Metallicity", {0.02, 0.004, 0.02, 0.02});
        column(file, "PartType4/GFM_InitialMass", {2e-5, 2e-5, 2e-5, 2e-5});
        file.commit();
        return path("snap.hdf5");
    }
    Scene open(const std::string& fields) const { return open_scene({.source = write().string(), .fields = fields}); }
    static const std::vector<float>& values(const Scene& scene, std::string_view name) {
        return *std::ranges::find(scene.bodies.fields, name, &BodyField::name)->values;
    }

private:
    static void column(hdf5::Writer& file, const std::string& name, const std::vector<double>& values,
                       std::uint64_t columns = 1) {
        const hdf5::Column to = file.column(name, values.size() / columns, columns, H5T_IEEE_F64LE);
        file.write(to, 0, values.size() / columns, H5T_NATIVE_DOUBLE, values.data());
    }
    static void species(hdf5::Writer& file, const std::string& group, std::size_t rows) {
        file.group(group);
        std::vector<double> x;
        for (std::size_t i = 0; i < 3 * rows; ++i) x.push_back(static_cast<double>(i));
        column(file, group + "/Coordinates", x, 3);
        column(file, group + "/Velocities", std::vector<double>(3 * rows), 3);
        column(file, group + "/Masses", std::vector<double>(rows, 1e-5));
    }
};

/// The age between two scale factors by the closed form of a flat universe of matter and Λ.
double age_at(double formed) {
    const auto age = [](double a) {
        return 2 / (3 * std::sqrt(1 - kOmega)) * std::asinh(std::sqrt((1 - kOmega) / kOmega * a * a * a));
    };
    return 9.777922216807891 / kHubble * (age(kA) - age(formed));
}

TEST_F(StarsAndGas, LightFollowsFromAgeMetallicityAndMassFormed) {
    const Scene scene = open("starlight");
    ASSERT_EQ(scene.bodies.fields.size(), 3u);
    const double mass = 2e-5 * 1.989e43 / kHubble / kMsun;
    for (const auto& [star, metals] : {std::pair{0u, 0.02}, {1u, 0.004}}) {
        const BandLight light = starlight(age_at(static_cast<float>(formed[star])), metals);
        EXPECT_NEAR(values(scene, "starlight_i")[2 + star] / (mass * light.red), 1, 1e-6);
        EXPECT_NEAR(values(scene, "starlight_r")[2 + star] / (mass * light.green), 1, 1e-6);
        EXPECT_NEAR(values(scene, "starlight_g")[2 + star] / (mass * light.blue), 1, 1e-6);
    }
    for (const std::string_view band : kStarlightFields) {
        EXPECT_EQ(values(scene, band)[0], 0) << "gas";
        EXPECT_EQ(values(scene, band)[4], 0) << "a wind particle of AREPO";
        EXPECT_TRUE(std::isnan(values(scene, band)[5])) << "a star without time of formation";
    }
    EXPECT_EQ(scene.bodies.fields[0].unit, "L☉");
    EXPECT_EQ(scene.bodies.fields[0].missing, 1u);
}

TEST_F(StarsAndGas, DustIsTheAbsorbingAreaOfGas) {
    const Scene scene = open("dust");
    const double length = kKpc * kA / kHubble, mass = 1e-5 * 1.989e43 / kHubble;
    EXPECT_NEAR(values(scene, "dust")[0] / (kOpacity * mass / (length * length)), 1, 1e-6);
    EXPECT_NEAR(values(scene, "dust")[1] / values(scene, "dust")[0], 0.5, 1e-6) << "half the metallicity";
    EXPECT_EQ(values(scene, "dust")[2], 0) << "a star";
}

TEST_F(StarsAndGas, DefinedAgesAndFieldsReplaceThoseOfTheFile) {
    const Scene scene = open("age_Gyr = 3 + 0*species, starlight, dust = 7 + 0*species, dust");
    const double ratio = starlight(3, 0.02).red / starlight(3, 0.004).red;
    EXPECT_NEAR(values(scene, "starlight_i")[2] / values(scene, "starlight_i")[3], ratio, 1e-6);
    EXPECT_EQ(values(scene, "dust")[2], 7);
}

TEST_F(StarsAndGas, NamesWithAQuestionMarkAreOptional) {
    const Scene scene = open("h?,sfr?,starlight?,dust?");
    std::vector<std::string> names;
    for (const BodyField& field : scene.bodies.fields) names.push_back(field.name);
    EXPECT_THAT(names, testing::ElementsAre("SmoothingLength", "starlight_i", "starlight_r", "starlight_g", "dust"));
    const BodyOptics optics = optics_of(scene.bodies.fields);
    EXPECT_TRUE(optics.shines());
    EXPECT_EQ((*optics.lengths)[1], 2);
    EXPECT_TRUE(std::isnan((*optics.lengths)[2]));
}

TEST_F(StarsAndGas, MissingQuantitiesAreNamedInTheRefusal) {
    lambda = 0.2;
    test::expect_error([&] { open("starlight"); }, Blame::kUsage, "snap.hdf5", "no flat universe", "age_Gyr");
    formed_name = "BirthPlace";
    test::expect_error([&] { open("starlight"); }, Blame::kUsage, "snap.hdf5", "no time of formation", "age_Gyr");
    EXPECT_NO_THROW(open("starlight?"));
    with_units = false;
    test::expect_error([&] { open("dust"); }, Blame::kUsage, "snap.hdf5", "no units");
}

/// Positions are comoving and divided by h, velocities by √a; a checkpoint keeps that.
TEST_F(StarsAndGas, TheConventionOfTheFileIsKnown) {
    const Scene scene = open("");
    EXPECT_EQ(scene.cosmology, gadget_convention(kOmega, lambda, kHubble, kA));
    write_snapshot(scene, path("a.orrery"));
    EXPECT_EQ(read_snapshot(path("a.orrery")).cosmology, scene.cosmology);
}

}  // namespace
}  // namespace orrery
