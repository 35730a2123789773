//! Counts distinct colors up to the size of a palette.

use std::collections::HashMap;

use crate::animation::region::Color;

/// The most colors of a palette.
pub(crate) const MOST: usize = 256;

/// Distinct colors in order of appearance, up to a limit.
#[derive(Clone)]
pub(crate) struct Paint {
    pub(crate) colors: Vec<Color>,
    index: HashMap<Color, u8>,
    limit: usize,
    over: bool,
    last: Option<Color>,
}

impl Paint {
    pub(crate) fn new(limit: usize) -> Self {
        let limit = limit.min(MOST);
        Self { colors: Vec::new(), index: HashMap::new(), limit, over: false, last: None }
    }

    pub(crate) fn of(colors: &[Color]) -> Self {
        let mut paint = Self::new(MOST);
        colors.iter().for_each(|color| paint.add(*color));
        paint
    }

    pub(crate) fn add(&mut self, color: Color) {
        if self.last == Some(color) || self.over || self.index.contains_key(&color) {
            self.last = Some(color);
            return;
        }
        if self.colors.len() == self.limit {
            self.over = true;
            return;
        }
        self.last = Some(color);
        self.index.insert(color, self.colors.len() as u8);
        self.colors.push(color);
    }

    /// Whether there are more colors than the limit.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// 0 with space for one more color, 1 without, 2 above the limit.
    pub(crate) fn fill(&self) -> u8 {
        u8::from(self.colors.len() == self.limit) + u8::from(self.over)
    }

    pub(crate) fn index(&self, color: Color) -> Option<u8> {
        self.index.get(&color).copied()
    }
}
