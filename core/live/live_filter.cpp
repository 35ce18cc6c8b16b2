// SPDX-License-Identifier: MIT
#include "core/live/live_filter.hpp"

#include <algorithm>
#include <utility>

#include "core/formats/body_quantities.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

std::pair<std::uint64_t, double> present(const Simulation& simulation) {
    return {simulation.now().moment, simulation.now().time};
}

std::vector<BodyField> without_filter(const Simulation& simulation) {
    std::vector<BodyField> fields = simulation.system().labels().fields;
    std::erase_if(fields, [](const BodyField& field) { return field.name == kFilterField; });
    return fields;
}

}  // namespace

LiveFilter::LiveFilter(Simulation& simulation, std::string condition, const Source& source)
    : condition_{std::move(condition)}, sets_{source.sets} {
    if (condition_.empty()) return;
    expression_ = std::make_shared<const Expression>(condition_);
    if (!source.file.empty()) fields_ = fields_of(source.file);
    std::string wanted;
    for (const Expression::Name& name : expression_->names()) {
        changes_ = changes_ || follows_motion(name) || source.fields_change;
        const std::string field = sets_.has(name.name) ? std::string{} : field_wanted(name);
        const auto& loaded = simulation.system().labels().fields;
        if (!field.empty() && std::ranges::find(loaded, field, &BodyField::name) == loaded.end())
            wanted += (wanted.empty() ? "" : ",") + field;
    }
    const std::vector<BodyField> before = simulation.system().labels().fields;
    if (source.may_load && !wanted.empty()) {
        Scene read = present_scene(simulation);
        load_fields(source.file, wanted, read);
        simulation.set_fields(std::move(read.bodies.fields));
    }
    try {
        evaluate(simulation);
    } catch (...) {
        simulation.set_fields(before);
        throw;
    }
}

void LiveFilter::evaluate(Simulation& simulation) {
    const auto start = Clock::now();
    const Bodies bodies = simulation.system().bodies();
    result_ = make_field(std::string{kFilterField}, "", satisfied(*expression_, {bodies, fields_, {}, sets_}), true);
    put(simulation);
    evaluated_ = present(simulation);
    const auto end = Clock::now();
    next_ = end + std::chrono::duration_cast<Clock::duration>((kShare - 1) * (end - start));
}

void LiveFilter::put(Simulation& simulation) const {
    std::vector<BodyField> fields = without_filter(simulation);
    fields.push_back(result_);
    simulation.show_fields(std::move(fields));
}

void LiveFilter::update(Simulation& simulation, bool may_reuse) {
    if (!expression_) return;
    const std::vector<BodyField>& fields = simulation.system().labels().fields;
    const bool there = std::ranges::find(fields, kFilterField, &BodyField::name) != fields.end();
    if (there && (!changes_ || evaluated_ == present(simulation))) return;
    if (!may_reuse || Clock::now() >= next_ || result_.values->size() != simulation.system().count())
        evaluate(simulation);
    else if (!there)
        put(simulation);
}

void LiveFilter::remove(Simulation& simulation) {
    const std::size_t before = simulation.system().labels().fields.size();
    std::vector<BodyField> fields = without_filter(simulation);
    if (fields.size() != before) simulation.set_fields(std::move(fields));
}

}  // namespace orrery
