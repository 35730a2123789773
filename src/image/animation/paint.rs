//! Distinct colours, counted up to as many as a palette can hold.

use std::collections::HashMap;

use super::region::Colour;

/// Colours that a palette can hold.
pub(super) const MOST: usize = 256;

/// Distinct colours, in the order of their appearance, up to a limit.
#[derive(Clone)]
pub(super) struct Paint {
    pub(super) colours: Vec<Colour>,
    index: HashMap<Colour, u8>,
    limit: usize,
    over: bool,
    last: Option<Colour>,
}

impl Paint {
    pub(super) fn new(limit: usize) -> Self {
        let limit = limit.min(MOST);
        Self { colours: Vec::new(), index: HashMap::new(), limit, over: false, last: None }
    }

    pub(super) fn of(colours: &[Colour]) -> Self {
        let mut paint = Self::new(MOST);
        colours.iter().for_each(|colour| paint.add(*colour));
        paint
    }

    pub(super) fn add(&mut self, colour: Colour) {
        if self.last == Some(colour) || self.over || self.index.contains_key(&colour) {
            self.last = Some(colour);
            return;
        }
        if self.colours.len() == self.limit {
            self.over = true;
            return;
        }
        self.last = Some(colour);
        self.index.insert(colour, self.colours.len() as u8);
        self.colours.push(colour);
    }

    /// There are more colours than the limit.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// 0 with room for one more colour, 1 without, 2 where there are more than the limit.
    pub(super) fn fill(&self) -> u8 {
        u8::from(self.colours.len() == self.limit) + u8::from(self.over)
    }

    pub(super) fn index(&self, colour: Colour) -> Option<u8> {
        self.index.get(&colour).copied()
    }
}
