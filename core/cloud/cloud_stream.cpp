// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_stream.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/random.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/sampling.hpp"
#include "core/formats/fields.hpp"

namespace orrery {
namespace {

constexpr std::size_t kAtOnce = 16;  // nodes read before the view is checked again
constexpr double kMargin = 1.4;      // widens the view when reading ahead
constexpr double kFinerAhead = 0.7, kMoreAhead = 1.5;
constexpr std::size_t kLeastBudget = std::size_t{64} << 20;

std::size_t bytes_of(const CloudColumns& bodies) {
    return bodies.size() * (sizeof(Vec4f) + bodies.fields.size() * sizeof(float)) +
           bodies.masses.size() * sizeof(float) + bodies.species.size();
}

double mean_mass(const CloudAbout& about) { return about.total_mass / static_cast<double>(about.bodies); }

constexpr std::size_t kMostStamps = std::size_t{1} << 18;  // limits the memory of a long flight

std::string names_of(const std::vector<CloudField>& fields) {
    std::vector<std::string_view> names;
    for (const CloudField& field : fields) names.push_back(field.name);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string no_such_field(const CloudAbout& about, std::string_view name) {
    return fmt::format("this cloud has no field {}; it has {}", name, names_of(about.fields));
}

/// The numbers below `count` in a random order that depends only on `key`.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t key) {
    Random random{key};
    std::vector<std::pair<double, std::size_t>> drawn;
    for (std::size_t i = 0; i < count; ++i) drawn.emplace_back(random.uniform(), i);
    std::ranges::sort(drawn);
    std::vector<std::size_t> order;
    for (const auto& [number, i] : drawn) order.push_back(i);
    return order;
}

}  // namespace

std::size_t CloudStream::default_budget() {
    return std::max(kLeastBudget, static_cast<std::size_t>(available_memory() / 4));
}

CloudCells::CloudCells(const std::filesystem::path& path, std::size_t budget, Pool& pool)
    : file_{path}, budget_{budget}, parents_(file_.nodes().size()) {
    const auto& nodes = file_.nodes();
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        for (std::uint32_t k = 0; k < nodes[i].children; ++k) parents_[nodes[i].first_child + k] = i;
    load({0}, pool);
}

std::uint64_t CloudCells::most_bodies() const {
    return static_cast<std::uint64_t>(static_cast<double>(budget_) / 2 /
                                      (1.3 * static_cast<double>(file_.about().bytes_per_body())));
}

void CloudCells::use(const std::vector<std::uint32_t>& nodes) {
    ++now_;
    for (const std::uint32_t node : nodes) parts_.at(node)->used = now_;
    parts_.at(0)->used = now_;
    if (bytes_ <= budget_) return;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> old;
    for (const auto& [node, part] : parts_)
        if (part->used < now_) old.emplace_back(part->used, node);
    std::ranges::sort(old);
    for (const auto& [used, node] : old) {
        if (bytes_ <= budget_) return;
        bytes_ -= bytes_of(parts_.at(node)->bodies);
        parts_.erase(node);
    }
}

std::string CloudCells::load(const std::vector<std::uint32_t>& nodes, Pool& pool) {
    std::vector<std::shared_ptr<CloudPart>> made_parts(nodes.size());
    std::vector<std::string> errors(nodes.size());
    pool.parallel_for(0, nodes.size(), [&](std::uint64_t i) {
        const std::uint32_t node = nodes[static_cast<std::size_t>(i)];
        try {
            made_parts[i] = made(node, node == 0 ? nullptr : parts_.at(parents_[node]).get());
        } catch (const Error& error) {
            errors[i] = error.what();
        }
    });
    std::string last;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!errors[i].empty()) {
            if (nodes[i] == 0) usage_error(errors[i]);
            broken_.insert(nodes[i]);
            last = std::move(errors[i]);
            continue;
        }
        made_parts[i]->used = now_;
        bytes_ += bytes_of(made_parts[i]->bodies);
        parts_[nodes[i]] = std::move(made_parts[i]);
    }
    return last;
}

std::shared_ptr<CloudPart> CloudCells::made(std::uint32_t index, const CloudPart* parent) const {
    const CloudNode& node = file_.nodes()[index];
    const CloudColumns own = file_.read(index);
    auto part = std::make_shared<CloudPart>();
    if (parent) {
        const CloudCube& cube = file_.about().cube;
        for (std::size_t i = 0; i < parent->bodies.size(); ++i) {
            const Vec4f& p = parent->bodies.places[i];
            if (node.contains(cube.key(p.x, p.y, p.z))) part->bodies.append(parent->bodies, i);
        }
    }
    for (const std::size_t i : shuffled(own.size(), node.key)) part->bodies.append(own, i);
    if (part->bodies.size() != node.shown)
        usage_error(fmt::format("{}: damaged: node {} has a sample of {} bodies, expected {}", file_.path().string(),
                                index, part->bodies.size(), node.shown));
    CompensatedSum mass;
    for (std::size_t i = 0; i < part->bodies.size(); ++i) mass.add(file_.mass_of(part->bodies, i));
    part->mass = mass.value();
    return part;
}

CloudStream::CloudStream(const std::filesystem::path& path, std::size_t budget, std::string_view wanted)
    : cells_{path, std::max(budget, kLeastBudget), pool_},
      painter_{cells_.file(), cells_.at(0)},
      resident_{cells_.bytes()} {
    const CloudFile& file = cells_.file();
    const std::vector<std::string> names = split_fields(wanted);
    for (const std::string& name : names)
        if (std::ranges::find(file.about().fields, name, &CloudField::name) == file.about().fields.end())
            usage_error(fmt::format("{}: {}", path.string(), no_such_field(file.about(), name)));
    if (!names.empty()) painter_.show_first(names.front());
    show(cloud_cut(file.nodes(), file.about().cube, {}, [](std::uint32_t node) { return node == 0; }), {});
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

Scene CloudStream::scene() const {
    const CloudFile& file = cells_.file();
    const CloudAbout& about = file.about();
    Scene scene;
    scene.id = scene.label = file.path().filename().string();
    scene.gravity.constant = about.constant, scene.gravity.softening = about.softening;
    scene.time = about.time, scene.days_per_time = about.days_per_time;
    scene.scale_factor = about.expands ? about.time : 0;
    scene.box = about.box;
    scene.length_unit = about.length_unit, scene.mass_unit = about.mass_unit;
    const CloudPart& root = painter_.root();
    const CloudColumns& bodies = root.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4f& p = bodies.places[i];
        const double share =
            root.mass > 0 ? file.mass_of(bodies, i) / root.mass : 1 / static_cast<double>(bodies.size());
        scene.bodies.add({p.x, p.y, p.z}, {}, share * about.total_mass);
        if (about.with_species) scene.bodies.species.push_back(static_cast<Species>(bodies.species[i]));
    }
    for (std::size_t f = 0; f < about.fields.size(); ++f)
        scene.bodies.fields.push_back(
            make_field(about.fields[f].name, about.fields[f].unit, bodies.fields[f], about.fields[f].whole));
    return scene;
}

void CloudStream::look(const ViewRegion& region) {
    const std::lock_guard lock{mutex_};
    if (region == region_) return;
    region_ = region;
    region_new_ = true, idle_ = complete_ = false;
    changed_.notify_all();
}

void CloudStream::wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return (!region_new_ && complete_) || !failed_.empty(); });
    if (!failed_.empty()) usage_error(failed_);
}

bool CloudStream::changed() const {
    const std::lock_guard lock{mutex_};
    return serial_ != filled_ || !remark_.empty();
}

bool CloudStream::busy() const {
    const std::lock_guard lock{mutex_};
    return !idle_;
}

std::string CloudStream::remark() {
    const std::lock_guard lock{mutex_};
    return std::exchange(remark_, {});
}

CloudStatus CloudStream::status() const {
    const std::lock_guard lock{mutex_};
    return {.on = true,
            .bodies = cells_.file().about().bodies,
            .shown = cut_.bodies,
            .stands_for = cut_.stands_for,
            .most = cut_.most,
            .spacing = cut_.spacing,
            .reading = region_new_ || !complete_ || region_ == ViewRegion{},
            .full = cut_.full,
            .cells = cut_.shown.size(),
            .memory = resident_};
}

void CloudStream::run(const std::stop_token& stop) {
    lower_thread_priority();
    while (!stop.stop_requested()) {
        ViewRegion region;
        {
            std::unique_lock lock{mutex_};
            if (!changed_.wait(lock, stop, [&] { return region_new_ || !idle_; })) return;
            region = region_;
            region_new_ = false;
        }
        const bool more = read_more(region);
        const std::lock_guard lock{mutex_};
        idle_ = !more;
        changed_.notify_all();
    }
}

bool CloudStream::read_more(const ViewRegion& asked) {
    const auto& nodes = cells_.file().nodes();
    const CloudCube& cube = cells_.file().about().cube;
    const std::uint64_t most = cells_.most_bodies();
    ViewRegion region = asked;
    region.bodies = std::min(region.bodies, most);
    region.whole = most;
    const auto at_hand = [&](std::uint32_t node) { return cells_.contains(node); };
    CloudCut cut = cloud_cut(nodes, cube, region, at_hand);
    cells_.use(cut.visited);
    const auto is_broken = [&](std::uint32_t node) { return cells_.is_broken(node); };
    std::erase_if(cut.wanted, is_broken);
    std::vector<std::uint32_t> wanted = cut.wanted;
    show(std::move(cut), asked);
    if (wanted.empty()) {  // nothing is missing: read ahead
        region.spacing *= kFinerAhead;
        region.bodies = std::min(most, static_cast<std::uint64_t>(kMoreAhead * static_cast<double>(region.bodies)));
        if (!cells_.has_room()) return false;
        wanted = cloud_cut(nodes, cube, region, at_hand, kMargin).wanted;
        std::erase_if(wanted, is_broken);
    }
    if (wanted.size() > kAtOnce) wanted.resize(kAtOnce);
    load(wanted);
    return !wanted.empty();
}

void CloudStream::load(const std::vector<std::uint32_t>& nodes) {
    const std::string error = cells_.load(nodes, pool_);
    const std::lock_guard lock{mutex_};
    if (!error.empty()) remark_ = failed_ = error;
    resident_ = cells_.bytes();
}

void CloudStream::show(CloudCut cut, const ViewRegion& region) {
    auto picture = std::make_shared<CloudPicture>();
    for (std::size_t i = 0; i < cut.shown.size(); ++i)
        picture->push_back({cut.shown[i], cut.counts[i], cells_.at(cut.shown[i])});
    const std::lock_guard lock{mutex_};
    const bool same = picture_ && cut.shown == cut_.shown && cut.counts == cut_.counts &&
                      region.color_by == seen_.color_by && region.color_field == seen_.color_field &&
                      region.mass_power == seen_.mass_power;
    complete_ = cut.wanted.empty();
    picture_ = std::move(picture);
    cut_ = std::move(cut);
    seen_ = region;
    if (!same) ++serial_;
    changed_.notify_all();
}

void CloudStream::fill(Frame& frame) {
    std::shared_ptr<const CloudPicture> picture;
    ViewRegion region;
    {
        const std::lock_guard lock{mutex_};
        picture = picture_, region = seen_, filled_ = serial_;
    }
    painter_.fill(frame, *picture, region, pool_);
}

void CloudPainter::fill(Frame& frame, const CloudPicture& picture, const ViewRegion& region, Pool& pool) {
    const CloudAbout& about = file_.about();
    std::vector<std::size_t> first{0};
    for (const CloudShown& shown : picture) first.push_back(first.back() + shown.count);
    frame.use_host();
    frame.count = first.back();
    frame.host.resize(frame.count);
    frame.no_color = why_no_color(region);
    frame.all_bodies = about.bodies;
    const bool even = region.mass_power == 0 || !about.with_masses;
    const bool whole = even && std::ranges::all_of(picture, [&](const CloudShown& shown) {
                           return shown.count == file_.nodes()[shown.node].bodies;
                       });
    auto lights = whole ? nullptr : std::make_shared<std::vector<float>>(frame.count);
    const double scale = even ? 1 : light_scale(region.mass_power);
    pool.parallel_for(0, picture.size(), [&](std::uint64_t k) {
        const CloudShown& shown = picture[k];
        color(shown.part->bodies, region, {frame.host.data() + first[k], shown.count});
        if (lights)
            shine(shown, even ? 0 : static_cast<double>(region.mass_power), scale,
                  {lights->data() + first[k], shown.count});
    });
    frame.blocks = blocks(picture, region, lights != nullptr);
    frame.masses = std::move(lights);
    frame.lights = frame.masses != nullptr;
    if (extent_by_ != region.color_by || extent_field_ != region.color_field) measure_extent(region);
    frame.extent = extent_;
}

/// From the root's sample.
void CloudPainter::measure_extent(const ViewRegion& region) {
    std::vector<Vec4f> all(root_->bodies.size());
    color(root_->bodies, region, all);
    std::vector<Vec4f> sample;
    for (const std::size_t i : sample_indices(all.size(), kExtentSample)) sample.push_back(all[i]);
    extent_ = extent_of(std::move(sample), region.color_by);
    if (const std::vector<float>* const values = column(root_->bodies, region)) {
        const auto number = static_cast<std::size_t>(values - root_->bodies.fields.data());
        extent_.field = file_.about().fields[number].name, extent_.field_unit = file_.about().fields[number].unit;
        const auto missing = std::ranges::count_if(*values, [](float value) { return std::isnan(value); });
        extent_.missing = static_cast<double>(missing) / static_cast<double>(values->size());
    }
    extent_by_ = region.color_by, extent_field_ = region.color_field;
}

/// The values of the field that the view colours by; null: none.
const std::vector<float>* CloudPainter::column(const CloudColumns& bodies, const ViewRegion& region) const {
    if (region.color_by != ColorBy::kField || bodies.fields.empty()) return nullptr;
    const std::string& name = region.color_field.empty() ? first_field_ : region.color_field;
    if (name.empty()) return &bodies.fields.front();
    const auto& fields = file_.about().fields;
    const auto found = std::ranges::find(fields, name, &CloudField::name);
    return found == fields.end() ? nullptr : &bodies.fields[static_cast<std::size_t>(found - fields.begin())];
}

/// Empty if the colour is available.
std::string CloudPainter::why_no_color(const ViewRegion& region) const {
    const CloudAbout& about = file_.about();
    const ColorBy by = region.color_by;
    if (by == ColorBy::kSpeed || by == ColorBy::kMass || (by == ColorBy::kSpecies && about.with_species)) return {};
    if (by == ColorBy::kSpecies) return std::string{kNoSpecies};
    if (by == ColorBy::kField && about.fields.empty())
        return "this cloud has no fields; convert the snapshot again with --fields";
    if (by == ColorBy::kField) return column(root_->bodies, region) ? "" : no_such_field(about, region.color_field);
    return "a cloud stores only speeds, masses, species and fields";
}

/// A cell drawn with the same number of bodies and the same colouring keeps its stamp, so its buffers are reused.
std::shared_ptr<const std::vector<FrameBlock>> CloudPainter::blocks(const CloudPicture& picture,
                                                                    const ViewRegion& region, bool with_lights) {
    static std::atomic<std::uint64_t> last{0};
    if (region.color_by != filled_as_.color_by || region.color_field != filled_as_.color_field ||
        region.mass_power != filled_as_.mass_power || with_lights != lights_filled_ || stamps_.size() > kMostStamps)
        stamps_.clear();
    filled_as_ = region, lights_filled_ = with_lights;
    auto all = std::make_shared<std::vector<FrameBlock>>();
    for (const CloudShown& shown : picture) {
        std::uint64_t& stamp = stamps_[std::uint64_t{shown.node} << 32 | shown.count];
        if (stamp == 0) stamp = ++last;
        all->push_back({stamp, shown.count});
    }
    return all;
}

void CloudPainter::color(const CloudColumns& bodies, const ViewRegion& region, std::span<Vec4f> to) const {
    std::copy_n(bodies.places.begin(), to.size(), to.begin());
    const ColorBy by = region.color_by;
    if (by == ColorBy::kSpeed) return;
    if (const std::vector<float>* const values = column(bodies, region)) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i].w = (*values)[i];
        return;
    }
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i].w = by == ColorBy::kMass                                 ? static_cast<float>(file_.mass_of(bodies, i))
                  : by == ColorBy::kSpecies && !bodies.species.empty() ? static_cast<float>(bodies.species[i])
                                                                       : 0.0f;
}

/// Lights in units of that of a body of mean mass. The drawn bodies of a cell have the light of all bodies in it.
void CloudPainter::shine(const CloudShown& shown, double power, double scale, std::span<float> lights) const {
    const CloudNode& node = file_.nodes()[shown.node];
    const double each = static_cast<double>(node.bodies) / static_cast<double>(lights.size());
    if (power == 0) return void(std::ranges::fill(lights, static_cast<float>(each)));
    const double mean = mean_mass(file_.about());
    CompensatedSum all;
    for (std::size_t i = 0; i < lights.size(); ++i) all.add(file_.mass_of(shown.part->bodies, i));
    for (std::size_t i = 0; i < lights.size(); ++i) {
        const double mass = file_.mass_of(shown.part->bodies, i);
        if (power != 1)
            lights[i] = static_cast<float>(each * scale * std::pow(mass / mean, power));
        else if (all.value() > 0)
            lights[i] = static_cast<float>(mass / all.value() * (node.mass / mean));
        else
            lights[i] = static_cast<float>(node.mass / mean / static_cast<double>(lights.size()));
    }
}

/// The factor that makes the mean light 1, from the root's sample.
double CloudPainter::light_scale(float power) const {
    CompensatedSum sum;
    const double mean = mean_mass(file_.about());
    for (std::size_t i = 0; i < root_->bodies.size(); ++i)
        sum.add(std::pow(file_.mass_of(root_->bodies, i) / mean, static_cast<double>(power)));
    return sum.value() > 0 ? static_cast<double>(root_->bodies.size()) / sum.value() : 1;
}

}  // namespace orrery
