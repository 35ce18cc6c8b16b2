//! title = Newton
//! author = Orrery
//! kind = pair
//! language = glsl
// Gravity: r2 is the squared distance plus the squared softening length. Returns pull and depth.
Vec2 pair(Real r2, Real own, Real other) {
    Real y = Real(1) / sqrt(r2);
    return other * y * Vec2(y * y, Real(1));
}
