// SPDX-License-Identifier: MIT
#include "core/lab/forms.hpp"

namespace orrery {

std::span<const LabForm> lab_forms() {
    static constexpr bool rooted = true, study = true, triples = true;
    static constexpr std::array menu{
        LabForm{"bb", "the bounding box, the baseline", FormId::kBoundingBox},
        LabForm{"lambda", "a line of blocks", FormId::kLambda, rooted},
        LabForm{"lambda-grid", "the papers' balanced grid", FormId::kLambdaGrid, rooted},
        LabForm{"rb", "the rectangular box in block space", FormId::kRectangularBox},
        LabForm{"rec", "the recursive partition in one launch", FormId::kRecursive},
        LabForm{"utm", "the upper triangle in block space", FormId::kUtm, rooted},
        LabForm{"lut", "lambda read from a table", FormId::kLut},
        LabForm{"hadouken", "bit operations only", FormId::kHadouken},
        LabForm{"rec-launches", "REC as published: one launch per level", FormId::kRecursiveLaunches},
        LabForm{"rb-threads", "RB as published: in thread space", FormId::kRectangularThreads},
        LabForm{"utm-threads", "UTM as published: in thread space, without integer correction", FormId::kUtmThreads,
                rooted},
        LabForm{"dp", "dynamic parallelism: triangles launch their halves from the device", FormId::kDynamic},
        LabForm{"lambda-published", "lambda with the papers' epsilon, without integer correction",
                FormId::kLambdaPublished, rooted, study},
        LabForm{"lambda-offset", "lambda with -0.4999, without integer correction", FormId::kLambdaOffset, rooted,
                study},
        LabForm{"cube", "the cube of triples, the baseline", FormId::kCube, !rooted, !study, triples},
        LabForm{"lambda3", "tetrahedral lambda on a line of blocks", FormId::kLambda3, rooted, !study, triples},
        LabForm{"lambda3-grid", "the same on a cubic grid", FormId::kLambda3Grid, rooted, !study, triples},
        LabForm{"hadouken3", "triples by bit operations only", FormId::kHadouken3, !rooted, !study, triples},
    };
    return menu;
}

}  // namespace orrery
