//! The three planes of a pixel side by side, and a fourth lane of nothing, so that one instruction works on all.
//!
//! `portable` says what each operation is; `simd128` has the same in WebAssembly's own instructions, since the compiler
//! takes numbers apart where it rounds them.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use portable::{Doubles, Halfway, Lanes};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{Doubles, Halfway, Lanes};

pub(crate) const LANES: usize = 4;

/// Of the significand of a double, the bits that a single has no room for, and what they are halfway between two of these.
const LOST: u64 = 0x1FFF_FFFF;
const HALFWAY: u64 = 0x1000_0000;

/// How `a × b + c` is computed and rounded once.
pub(crate) trait Fuse {
    fn fused(&mut self, a: Lanes, b: Lanes, c: Lanes) -> Lanes;
}

/// In double precision the product is exact, and the sum all but rounded as it has to be, unless it lies halfway: what was
/// computed is of no use then.
#[derive(Default)]
pub(crate) struct Quick(Halfway);

impl Quick {
    #[inline(always)]
    pub(crate) fn failed(&self) -> bool {
        self.0.any()
    }
}

impl Fuse for Quick {
    #[inline(always)]
    fn fused(&mut self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        a.doubles().mul(b.doubles()).add(c.doubles()).round(&mut self.0)
    }
}

/// Always right, and slower: a sum that lies halfway is moved to where the rest lies that it has no room for.
pub(crate) struct Exact;

/// What `compute` makes with sums that are always right: seldom, and so out of the way of what is often done.
#[cold]
#[inline(never)]
pub(crate) fn exactly<T>(compute: impl FnOnce(&mut Exact) -> T) -> T {
    compute(&mut Exact)
}

impl Fuse for Exact {
    #[inline(always)]
    fn fused(&mut self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        let (a, b, c) = (a.array(), b.array(), c.array());
        Lanes::new(std::array::from_fn(|lane| fused(a[lane], b[lane], c[lane])))
    }
}

fn fused(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let added = sum - product;
    let rest = (product - (sum - added)) + (c - added);
    if sum.to_bits() & LOST != HALFWAY || rest == 0.0 {
        return sum as f32;
    }
    let outwards = (rest > 0.0) == (sum > 0.0);
    f64::from_bits(if outwards { sum.to_bits() + 1 } else { sum.to_bits() - 1 }) as f32
}
