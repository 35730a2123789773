//! Counts distinct colors up to the size of a palette.

use std::collections::HashMap;

use crate::animation::region::Color;

/// The most colors of a palette.
pub(crate) const MAX_COLORS: usize = 256;

/// Distinct colors in order of appearance, up to a limit.
#[derive(Clone)]
pub(crate) struct ColorSet {
    pub(crate) colors: Vec<Color>,
    index: HashMap<Color, u8>,
    limit: usize,
    exceeds_limit: bool,
    last: Option<Color>,
}

impl ColorSet {
    pub(crate) fn new(limit: usize) -> Self {
        let limit = limit.min(MAX_COLORS);
        Self { colors: Vec::new(), index: HashMap::new(), limit, exceeds_limit: false, last: None }
    }

    pub(crate) fn of(colors: &[Color]) -> Self {
        let mut set = Self::new(MAX_COLORS);
        colors.iter().for_each(|color| set.add(*color));
        set
    }

    pub(crate) fn add(&mut self, color: Color) {
        if self.last == Some(color) || self.exceeds_limit || self.index.contains_key(&color) {
            self.last = Some(color);
            return;
        }
        if self.colors.len() == self.limit {
            self.exceeds_limit = true;
            return;
        }
        self.last = Some(color);
        self.index.insert(color, self.colors.len() as u8);
        self.colors.push(color);
    }

    /// Whether there are more colors than the limit.
    pub(crate) fn is_over(&self) -> bool {
        self.exceeds_limit
    }

    /// 0 with space for one more color, 1 without, 2 above the limit.
    pub(crate) fn level(&self) -> u8 {
        u8::from(self.colors.len() == self.limit) + u8::from(self.exceeds_limit)
    }

    pub(crate) fn index(&self, color: Color) -> Option<u8> {
        self.index.get(&color).copied()
    }
}
