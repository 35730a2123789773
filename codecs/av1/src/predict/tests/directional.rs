//! Section 7.11.2.4 to 7.11.2.12, written down as it stands.

use super::super::tables::{DERIVATIVES, MODE_ANGLES};
use super::{BLOCK, EdgeFilter, IntraBlock, IntraMode, plane, predicted};
use crate::plane::Plane;
use std::collections::HashMap;

const KERNELS: [[i32; 5]; 3] = [[0, 4, 8, 4, 0], [0, 5, 6, 5, 0], [2, 4, 4, 4, 2]];

/// The samples of an edge by index; -1 is the corner.
type Edge = HashMap<i32, i32>;

struct Reference {
    w: i32,
    h: i32,
    above: Edge,
    left: Edge,
    smooth: bool,
}

impl Reference {
    fn new(plane: &Plane, block: &IntraBlock) -> Self {
        let (w, h) = (1 << block.log2_w, 1 << block.log2_h);
        let sample = |x: i32, y: i32| i32::from(plane.data[y as usize * plane.stride + x as usize]);
        let (x, y) = (block.x as i32, block.y as i32);
        let middle = 1 << (block.bit_depth - 1);
        let (mut above, mut left) = (Edge::new(), Edge::new());
        for i in 0..w + h {
            above.insert(
                i,
                match (block.above, block.left) {
                    (0, 0) => middle - 1,
                    (0, _) => sample(x - 1, y),
                    (count, _) => sample((x + i).min(x + count as i32 - 1), y - 1),
                },
            );
            left.insert(
                i,
                match (block.left, block.above) {
                    (0, 0) => middle + 1,
                    (0, _) => sample(x, y - 1),
                    (count, _) => sample(x - 1, (y + i).min(y + count as i32 - 1)),
                },
            );
        }
        let corner = match (block.above, block.left) {
            (0, 0) => middle,
            (0, _) => sample(x - 1, y),
            (_, 0) => sample(x, y - 1),
            _ => sample(x - 1, y - 1),
        };
        above.insert(-1, corner);
        left.insert(-1, corner);
        Self { w, h, above, left, smooth: block.edge_filter == EdgeFilter::Smooth }
    }

    fn strength(&self, delta: i32) -> usize {
        let (d, sum) = (delta.abs(), self.w + self.h);
        let mut strength = 0;
        let mut set = |condition, value| {
            if condition {
                strength = value;
            }
        };
        if !self.smooth {
            if sum <= 8 {
                set(d >= 56, 1);
            } else if sum <= 16 {
                set(d >= 40, 1);
            } else if sum <= 24 {
                set(d >= 8, 1);
                set(d >= 16, 2);
                set(d >= 32, 3);
            } else if sum <= 32 {
                set(true, 1);
                set(d >= 4, 2);
                set(d >= 32, 3);
            } else {
                set(true, 3);
            }
        } else if sum <= 8 {
            set(d >= 40, 1);
            set(d >= 64, 2);
        } else if sum <= 16 {
            set(d >= 20, 1);
            set(d >= 48, 2);
        } else if sum <= 24 {
            set(d >= 4, 3);
        } else {
            set(true, 3);
        }
        strength
    }

    fn upsamples(&self, delta: i32) -> bool {
        let d = delta.abs();
        d > 0 && d < 40 && self.w + self.h <= if self.smooth { 8 } else { 16 }
    }

    fn prepare(&mut self, block: &IntraBlock, angle: i32) -> (u32, u32) {
        let (w, h) = (self.w, self.h);
        if angle > 90 && angle < 180 && w + h >= 24 {
            let corner = (self.left[&0] * 5 + self.above[&-1] * 6 + self.above[&0] * 5 + 8) >> 4;
            self.above.insert(-1, corner);
            self.left.insert(-1, corner);
        }
        if block.above > 0 {
            let length = w.min(block.above as i32) + if angle < 90 { h } else { 0 } + 1;
            let strength = self.strength(angle - 90);
            filter(&mut self.above, length, strength);
        }
        if block.left > 0 {
            let length = h.min(block.left as i32) + if angle > 180 { w } else { 0 } + 1;
            let strength = self.strength(angle - 180);
            filter(&mut self.left, length, strength);
        }
        let (up_above, up_left) = (self.upsamples(angle - 90), self.upsamples(angle - 180));
        if up_above {
            upsample(&mut self.above, w + if angle < 90 { h } else { 0 }, block.bit_depth);
        }
        if up_left {
            upsample(&mut self.left, h + if angle > 180 { w } else { 0 }, block.bit_depth);
        }
        (u32::from(up_above), u32::from(up_left))
    }

    fn predict(&mut self, block: &IntraBlock) -> Vec<Vec<u16>> {
        let angle = MODE_ANGLES[block.mode as usize] + 3 * i32::from(block.angle_delta);
        let mut ups = (0, 0);
        if block.edge_filter != EdgeFilter::Off && angle != 90 && angle != 180 {
            ups = self.prepare(block, angle);
        }
        (0..self.h).map(|i| (0..self.w).map(|j| self.sample(angle, ups, i, j) as u16).collect()).collect()
    }

    fn sample(&self, angle: i32, (up_above, up_left): (u32, u32), i: i32, j: i32) -> i32 {
        let mix = |edge: &Edge, base: i32, shift: i32| {
            (edge[&base] * (32 - shift) + edge[&(base + 1)] * shift + 16) >> 5
        };
        let derivative = |angle: i32| i32::from(DERIVATIVES[angle as usize]);
        if angle < 90 {
            let position = (i + 1) * derivative(angle);
            let base = (position >> (6 - up_above)) + (j << up_above);
            let last = (self.w + self.h - 1) << up_above;
            if base >= last {
                return self.above[&last];
            }
            return mix(&self.above, base, ((position << up_above) >> 1) & 31);
        }
        if angle == 90 {
            return self.above[&j];
        }
        if angle < 180 {
            let position = (j << 6) - (i + 1) * derivative(180 - angle);
            let base = position >> (6 - up_above);
            if base >= -(1 << up_above) {
                return mix(&self.above, base, ((position << up_above) >> 1) & 31);
            }
            let position = (i << 6) - (j + 1) * derivative(angle - 90);
            return mix(&self.left, position >> (6 - up_left), ((position << up_left) >> 1) & 31);
        }
        if angle == 180 {
            return self.left[&i];
        }
        let position = (j + 1) * derivative(270 - angle);
        let base = (position >> (6 - up_left)) + (i << up_left);
        mix(&self.left, base, ((position << up_left) >> 1) & 31)
    }
}

fn filter(edge: &mut Edge, length: i32, strength: usize) {
    if strength == 0 {
        return;
    }
    let copy: Vec<i32> = (0..length).map(|i| edge[&(i - 1)]).collect();
    for i in 1..length {
        let taps = (0..5)
            .map(|j| KERNELS[strength - 1][j as usize] * copy[(i - 2 + j).clamp(0, length - 1) as usize]);
        edge.insert(i - 1, (taps.sum::<i32>() + 8) >> 4);
    }
}

fn upsample(edge: &mut Edge, length: i32, bit_depth: u8) {
    let mut dup: Vec<i32> = (-1..length).map(|i| edge[&i]).collect();
    dup.insert(0, dup[0]);
    dup.push(dup[dup.len() - 1]);
    edge.insert(-2, dup[0]);
    for i in 0..length as usize {
        let sum = -dup[i] + 9 * dup[i + 1] + 9 * dup[i + 2] - dup[i + 3];
        edge.insert(2 * i as i32 - 1, ((sum + 8) >> 4).clamp(0, (1 << bit_depth) - 1));
        edge.insert(2 * i as i32, dup[i + 2]);
    }
}

#[test]
fn every_angle_and_size_is_that_of_the_specification() {
    let noise = |x: usize, y: usize| ((x * 7919 + y * 104_729 + x * y * 31) % 1021) as u16;
    let mut cases = 0;
    let modes = [1, 2, 3, 4, 5, 6, 7, 8].map(|index| IntraMode::from_index(index).unwrap());
    for (log2_w, log2_h) in (2..=5_u8).flat_map(|w| (2..=5_u8).map(move |h| (w, h))) {
        for (mode, angle_delta) in modes.iter().flat_map(|&mode| (-3..=3).map(move |delta| (mode, delta))) {
            for edge_filter in [EdgeFilter::Off, EdgeFilter::Sharp, EdgeFilter::Smooth] {
                for (above, left) in [(60, 60), (1 << log2_w, 3), (0, 20), (6, 0), (0, 0)] {
                    let (above, left) = (above.min(2 << log2_w), left.min(2 << log2_h));
                    let block = IntraBlock {
                        log2_w,
                        log2_h,
                        mode,
                        angle_delta,
                        edge_filter,
                        above,
                        left,
                        bit_depth: 10,
                        ..BLOCK
                    };
                    let source = plane(noise);
                    let expected = Reference::new(&source, &block).predict(&block);
                    assert_eq!(predicted(source, block), expected, "{block:?}");
                    cases += 1;
                }
            }
        }
    }
    assert_eq!(cases, 16 * 56 * 3 * 5);
}
