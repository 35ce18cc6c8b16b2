// |v|, which does not overflow if the components do not.
Real norm_of(Vec3 v) {
    Vec3 a = abs(v);
    Real most_of_all = max(a.x, max(a.y, a.z));
    if (!(most_of_all > Real(0))) return a.x + a.y + a.z;
    a /= most_of_all;
    return most_of_all * sqrt(dot(a, a));
}
