// SPDX-License-Identifier: MIT
// The page Haloes: catalogues, circles, bodies of a halo, and the merger tree.
#include <fstream>
#include <string>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

class HalosWindow : public WindowTest {
protected:
    /// Two lumps of 40 bodies at x = 2 and 7, at this scale factor.
    std::string write_bodies(const std::string& name, double a) {
        std::ofstream file{scratch() / name};
        file << "# orrery: bodies=80 time=" << a << " scale_factor=" << a << "\nm,x,y,z,vx,vy,vz\n";
        for (int i = 0; i < 80; ++i)
            file << "1," << (i < 40 ? 2 : 7) + 0.01 * (i % 8) << ',' << 0.01 * (i % 40 / 8) << ",0,0,0,0\n";
        return (scratch() / name).string();
    }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream{scratch() / name} << text;
        return (scratch() / name).string();
    }
    std::string write_catalogue() {
        return write(
            "out_1.list",
            "#ID DescID Mvir Rvir Np X Y Z\n#a = 1.0\n11 -1 40 500 40 2.04 0.02 0\n12 -1 80 500 40 7.04 0.02 0\n");
    }
    static std::string row(const WindowDriver& window, const std::string& begin) {
        const Json map = window.map();
        for (const auto& [name, widget] : map["widgets"].items())
            if (name.starts_with(begin)) return name;
        return {};
    }
    static void click_row(WindowDriver& window, const std::string& begin) {
        window.wait_for("the row " + begin, [&](const Json&) { return !row(window, begin).empty(); });
        window.click(row(window, begin));
    }
};

TEST_F(HalosWindow, ClickOnARowLightsTheBodiesOfTheHalo) {
    auto window = open_paused({write_bodies("bodies.csv", 1), "--backend", "cpu", "--halos", write_catalogue()});
    window->click("Haloes");
    window->wait_for("both circles", [](const Json& s) { return s["halos"]["circles"].size() == 2; });
    EXPECT_EQ(window->state("halos")["format"], "rockstar");
    click_row(*window, "12: ");
    window->wait_for("its bodies", [](const Json& s) { return s["hand"]["picked"] == 40; });
    EXPECT_EQ(window->state("halos")["lit"], "12");
    EXPECT_EQ(window->state("halos")["by"], "within the radius");
    EXPECT_EQ(window->state("panel"), "halos") << "the page stays open";
    window->wait_for("the camera", [](const Json& s) {
        for (const Json& circle : s["halos"]["circles"])
            if (circle["lit"] == true) return circle["radius"] > 40.0;
        return false;
    });
    window->click("Circles");
    window->wait_for("no circles", [](const Json& s) { return s["halos"]["circles"].empty(); });
    window->scroll_to("Close catalogue");
    window->click("Close catalogue");
    window->wait_for("no catalogue", [](const Json& s) { return s["halos"]["count"] == 0; });
}

TEST_F(HalosWindow, ClickOnACircleLightsItsHalo) {
    auto window = open_paused({write_bodies("bodies.csv", 1), "--backend", "cpu", "--halos", write_catalogue()});
    window->click("Haloes");
    window->wait_for("both circles", [](const Json& s) { return s["halos"]["circles"].size() == 2; });
    window->wait_for_camera();
    const Json circles = window->state("halos")["circles"];
    const Json& lighter = circles[0]["label"] == "40 M☉/h" ? circles[0] : circles[1];
    move_to(*window, lighter["at"][0].get<double>(), lighter["at"][1].get<double>() + lighter["radius"].get<double>());
    window->xdotool({"click", "1"});
    window->wait_for("its bodies",
                     [](const Json& s) { return s["halos"]["lit"] == "11" && s["hand"]["picked"] == 40; });
}

TEST_F(HalosWindow, CatalogueIsOpenedByItsPathAndSorted) {
    const std::string catalogue = write_catalogue();
    auto window = open_paused({write_bodies("bodies.csv", 1), "--backend", "cpu"});
    window->click("Haloes");
    window->type_into("Catalogue", catalogue);
    window->wait_for("the catalogue", [](const Json& s) { return s["halos"]["count"] == 2; });
    const auto is_first = [&](const std::string& begin) {
        const Json map = window->map();
        const std::string a = row(*window, begin), b = row(*window, begin == "11: " ? "12: " : "11: ");
        return !a.empty() && !b.empty() && map["widgets"][a][1] < map["widgets"][b][1];
    };
    window->wait_for("the heaviest first", [&](const Json&) { return is_first("12: "); });
    window->click("Ascending");
    window->wait_for("the lightest first", [&](const Json&) { return is_first("11: "); });
}

TEST_F(HalosWindow, CatalogueOfAnotherTimeIsRefused) {
    auto window = open_paused({write_bodies("bodies.csv", 0.5), "--backend", "cpu", "--halos", write_catalogue()});
    window->wait_for("a message", [](const Json& s) { return s["message"] != ""; });
    EXPECT_NE(window->state("message").get<std::string>().find("choose the catalogue of this snapshot"),
              std::string::npos);
    EXPECT_EQ(window->state("halos")["count"], 0);
}

TEST_F(HalosWindow, BranchesOfAMergerTreeAreFollowedByClicks) {
    const std::string tree =
        write("tree.dat",
              "#scale(0) id(1) desc_scale(2) desc_id(3) pid(4) mmp?(5) mvir(6) rvir(7) x(8) y(9) z(10)\n1\n"
              "1.0 1 0 -1 -1 1 120 500 7.04 0.02 0\n0.8 2 1.0 1 -1 1 80 500 7.04 0.02 0\n0.8 3 1.0 1 -1 0 40 500 2.04 "
              "0.02 0\n");
    auto window = open_paused(
        {write_bodies("snap_1.csv", 0.8), write_bodies("snap_2.csv", 1.0), "--backend", "cpu", "--halos", tree});
    window->key("Home");
    window->wait_for("the first snapshot", [](const Json& s) { return s["sim_time"] == 0.8; });
    window->click("Haloes");
    window->wait_for("the haloes of this time", [](const Json& s) { return s["halos"]["circles"].size() == 2; });
    click_row(*window, "2: ");
    window->wait_for("its bodies", [](const Json& s) { return s["hand"]["picked"] == 40; });
    window->click("Descendant");
    window->wait_for("the descendant at its time",
                     [](const Json& s) { return s["halos"]["lit"] == "1" && s["sim_time"] == 1.0; });
    window->click("Tree");
    window->wait_for("the tree", [&](const Json& s) {
        return s["halos"]["branches"] == 2 && window->map()["places"].contains("branch 1");
    });
    window->wait_frames(5);  // until its window has its size
    const Json place = window->map()["places"]["branch 1"];
    window->xdotool({"mousemove", std::to_string(place[0].get<int>()),
                     std::to_string((place[1].get<int>() + place[3].get<int>()) / 2)});
    window->wait_frames(3);
    window->xdotool({"click", "1"});
    window->wait_for("the halo of the branch, at its time", [](const Json& s) {
        return s["halos"]["lit"] == "3" && s["halos"]["branch"] == 1 && s["sim_time"] == 0.8 &&
               s["hand"]["picked"] == 40;
    });
}

}  // namespace
}  // namespace orrery::test
