// SPDX-License-Identifier: MIT
// The shared library orrery-vdb.so. OpenVDB: K. Museth 2013, ACM Trans. Graph. 32, 27.
#include <openvdb/openvdb.h>

#include <cmath>
#include <exception>
#include <vector>

#include "core/formats/vdb_grids.hpp"

namespace orrery {
namespace {

/// Calls work() and returns the message of an exception that it throws.
template <class Work>
std::string message_of(const Work& work) {
    try {
        work();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

class Grids final : public VdbGrids {
public:
    explicit Grids(const VdbPlan& plan);
    std::string take(const VoxelBrick& brick) override {
        return message_of([&] { add(brick); });
    }
    std::string write(const std::filesystem::path& path) override {
        return message_of([&] { openvdb::io::File{path.string()}.write(all(), about_); });
    }

private:
    openvdb::GridPtrVec all() const;
    void add(const VoxelBrick& brick);

    openvdb::FloatGrid::Ptr density_ = openvdb::FloatGrid::create();
    openvdb::Vec3SGrid::Ptr velocity_ = openvdb::Vec3SGrid::create();
    std::vector<openvdb::FloatGrid::Ptr> fields_;
    openvdb::MetaMap about_;
};

Grids::Grids(const VdbPlan& plan) {
    density_->setName("density");
    density_->setGridClass(openvdb::GRID_FOG_VOLUME);
    velocity_->setName("velocity");
    velocity_->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    for (const VdbPlan::Field& field : plan.fields) {
        fields_.push_back(openvdb::FloatGrid::create());
        fields_.back()->setName(field.name);
        if (!field.unit.empty()) fields_.back()->insertMeta("unit", openvdb::StringMetadata{field.unit});
    }
    for (const openvdb::GridBase::Ptr& grid : all())
        grid->setTransform(openvdb::math::Transform::createLinearTransform(plan.voxel));
    about_.insertMeta("creator", openvdb::StringMetadata{"Orrery"});
    about_.insertMeta("time", openvdb::DoubleMetadata{plan.time});
    about_.insertMeta("length_unit", openvdb::StringMetadata{plan.length_unit});
    about_.insertMeta("mass_unit", openvdb::StringMetadata{plan.mass_unit});
}

openvdb::GridPtrVec Grids::all() const {
    openvdb::GridPtrVec grids{density_, velocity_};
    grids.insert(grids.end(), fields_.begin(), fields_.end());
    return grids;
}

void Grids::add(const VoxelBrick& brick) {
    auto to_density = density_->getAccessor();
    auto to_velocity = velocity_->getAccessor();
    std::vector<openvdb::FloatGrid::Accessor> to_fields;
    for (const auto& grid : fields_) to_fields.push_back(grid->getAccessor());
    std::size_t at = 0;
    for (int z = 0; z < VoxelBrick::kSide; ++z)
        for (int y = 0; y < VoxelBrick::kSide; ++y)
            for (int x = 0; x < VoxelBrick::kSide; ++x, ++at) {
                if (!(brick.density[at] > 0)) continue;
                const openvdb::Coord here{brick.first[0] + x, brick.first[1] + y, brick.first[2] + z};
                const Vec3f& v = brick.velocity[at];
                to_density.setValueOn(here, brick.density[at]);
                to_velocity.setValueOn(here, {v.x, v.y, v.z});
                for (std::size_t f = 0; f < to_fields.size(); ++f)
                    if (std::isfinite(brick.fields[f][at])) to_fields[f].setValueOn(here, brick.fields[f][at]);
            }
}

}  // namespace
}  // namespace orrery

extern "C" orrery::VdbGrids* orrery_make_vdb_grids(const orrery::VdbPlan& plan) {
    openvdb::initialize();
    return new orrery::Grids{plan};
}
