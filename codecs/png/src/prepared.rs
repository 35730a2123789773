//! The choice of a form and of filters.

use filepress_deflate::Level;

use crate::chunks;
use crate::effort::Plan;
use crate::filter_strategy::Strategy;
use crate::pack::{BAND, Packed, is_tried, pack, pack_all};
use crate::picture::{Color, Picture};
use crate::reduce;

/// Pictures with fewer pixels are tried whole.
const LEAST_PIXELS: usize = 1 << 16;
/// Pictures of at most so many bytes are coded with every strategy that may be the best: a few bytes are a share of the file.
const SMALL: usize = 1 << 15;
/// A sample decides if the best candidate takes less than this share of the bytes of every other, or if the picture is a photo.
const DECISIVE_PERCENT: usize = 98;
/// The same where all rows were tried, at a lower level than they are coded.
const DECISIVE_PERCENT_WHOLE: usize = 90;
/// The same for photos, where trials differ by less.
const DECISIVE_PERCENT_PHOTO: usize = 97;
/// A candidate is close if the best takes at least this share of its bytes.
const CLOSE_PERCENT: usize = 99;
/// The most strategies that are tried again.
const MOST_TRIED_AGAIN: usize = 5;
/// The most strategies of a photo that are tried again.
const MOST_PHOTO_TRIED_AGAIN: usize = 3;
/// A second trial of a large picture codes up to so many times as many bands as the first.
const MORE_BANDS: usize = 4;
/// One in so many bytes is added to a lazy trial without a filter.
const UNFILTERED: usize = 22;
/// The compressed size of a drawing is below 1 / this of its bytes. Rows far apart resemble each other, which a sample misses.
const DRAWING: usize = 6;

/// What to keep and how much work to spend.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// 0 (fast) to 9 (small).
    pub effort: u8,
    /// Whether color type and depth may change.
    pub reduce: bool,
    /// Whether color may become gray, and gray a palette: not if a profile comes with the picture.
    pub gray: bool,
}

/// A picture whose form and filters are chosen.
pub struct Prepared {
    effort: u8,
    picture: Picture,
    /// What was tried with the form of the picture; the best comes first.
    tried: Vec<Tried>,
    trial: usize,
    is_drawing: bool,
}

struct Tried {
    length: usize,
    form: usize,
    strategy: Strategy,
}

impl Tried {
    /// Makes lengths of strategies comparable. In a large picture, a lazy parse finds nearly all that there is to find in pixels of several
    /// samples without a filter, and less of what a better one finds in filtered rows.
    fn weigh(&mut self, level: Level, picture: &Picture) {
        let is_overrated = self.strategy == Strategy::Fixed(0) && picture.pixel_size() >= 3;
        if is_overrated && level == Level::Lazy && is_sampled(picture) {
            self.length += self.length / UNFILTERED;
        }
    }
}

impl Prepared {
    /// Chooses. `None` if the rows are not as many bytes as the size says, or an index has no color.
    pub fn new(picture: Picture, settings: Settings) -> Option<Self> {
        if !picture.is_whole() {
            return None;
        }
        let mut forms = forms(picture, settings);
        let plan = Plan::of(settings.effort);
        let all: Vec<usize> = (0..forms.len()).collect();
        let mut best = tried(&forms, &all, plan.first, &plan);
        let form = best.first()?.form;
        best.retain(|tried| tried.form == form);
        let sampled = sampled_rows(&forms[form], plan.bands);
        let is_indexed = matches!(forms[form].color, Color::Indexed { .. });
        let is_likely_photo = is_photo(best.first()?.length, sampled) && !is_indexed;
        let others = if is_likely_photo { plan.photo } else { plan.others };
        best.append(&mut tried(&forms, &[form], others, &plan));
        best.iter_mut().for_each(|tried| tried.weigh(plan.trial, &forms[form]));
        best.sort_by_key(|tried| tried.length);
        let trial = best.first()?.length;
        let picture = forms.swap_remove(form);
        drop(forms);
        let is_compared = picture.rows.len() <= SMALL && plan.compares_small();
        let is_drawing = !is_photo(trial, sampled) || is_indexed || is_compared;
        // At higher levels bytes count more than time. Only the first is coded to the end.
        if !is_drawing && plan.level == Level::Quick {
            let close = close(&best).min(MOST_PHOTO_TRIED_AGAIN);
            if close > 1 && is_sampled(&picture) {
                best.truncate(close);
                for tried in &mut best {
                    // Other rows than those of the first trial.
                    tried.length =
                        pack(&picture, tried.strategy, plan.trial, bands(&picture, plan.bands / 2)).length;
                }
            }
            let weighed = |at: &usize| best[*at].strategy.weighed(best[*at].length);
            let first = (0..best.len()).min_by_key(weighed)?;
            best.swap(0, first);
        }
        Some(Self { effort: settings.effort, picture, tried: best, trial, is_drawing })
    }

    /// The compressed size of the rows that were tried, in bytes: to compare it with that of another picture of the same size and
    /// effort.
    pub fn trial(&self) -> usize {
        self.trial
    }

    /// The same by a better search, which finds the gaps between repetitions. `None` if rows were not tried by a lazy one, or if all of
    /// them were: coding them takes hardly longer then.
    pub fn second_trial(&self) -> Option<usize> {
        let plan = Plan::of(self.effort);
        let is_worth_it = plan.trial == Level::Lazy && is_sampled(&self.picture);
        let best = self.tried.first().filter(|_| is_worth_it)?;
        Some(pack(&self.picture, best.strategy, plan.second, bands(&self.picture, plan.bands)).length)
    }

    /// The filtered rows as a zlib stream, what `IDAT` holds.
    pub fn rows(mut self) -> Vec<u8> {
        self.packed().pieces.concat()
    }

    /// The file.
    pub fn encode(mut self) -> Vec<u8> {
        let packed = self.packed();
        // What is left of the pixels leaves before the file is put together.
        self.picture.rows = Vec::new();
        chunks::file(&self.picture, &packed.pieces)
    }

    fn packed(&mut self) -> Packed {
        let plan = Plan::of(self.effort);
        if self.is_drawing {
            try_again(&self.picture, &mut self.tried, &plan);
        }
        let finalists = match self.picture.rows.len() {
            ..=SMALL if plan.compares_small() => close(&self.tried).min(plan.finalists + 1),
            ..=SMALL => self.tried.len(),
            _ => plan.finalists,
        };
        let level = if self.is_drawing { plan.drawing } else { plan.level };
        self.tried.truncate(finalists);
        let Some(last) = self.tried.pop() else { return Packed::default() };
        let coded = self.tried.iter().map(|tried| pack(&self.picture, tried.strategy, level, 1));
        let best = coded.min_by_key(|packed| packed.length);
        let last = pack_all(&mut self.picture, last.strategy, level);
        best.filter(|best| best.length <= last.length).unwrap_or(last)
    }
}

fn forms(picture: Picture, settings: Settings) -> Vec<Picture> {
    if !settings.reduce {
        return vec![picture];
    }
    if matches!(picture.color, crate::Color::Indexed { .. }) {
        return reduce::reordered(picture);
    }
    let narrow = reduce::narrow(picture, settings.gray);
    let Some(indexed) = reduce::indexed(&narrow, settings.gray) else { return vec![narrow] };
    let (width, height) = (narrow.width, narrow.height);
    // A palette of one byte or less for each pixel wins over three or four unless the picture is tiny.
    let narrow = Some(narrow).filter(|narrow| narrow.pixel_size() == 1 || !is_sampled(narrow));
    reduce::orders(&indexed, width, height).into_iter().chain(narrow).collect()
}

/// Whether only a part of the rows is tried.
fn is_sampled(picture: &Picture) -> bool {
    picture.width as usize * picture.height as usize > LEAST_PIXELS
}

/// A trial codes one in so many bands: of a low picture, no fewer than one band.
fn bands(picture: &Picture, most: usize) -> usize {
    if is_sampled(picture) { most.min(picture.height as usize / BAND).max(1) } else { 1 }
}

/// The bytes of the rows that a trial codes.
fn sampled_rows(picture: &Picture, most: usize) -> usize {
    let bands = bands(picture, most);
    (0..picture.height as usize).filter(|row| is_tried(*row, bands)).count() * picture.row_size()
}

/// Tries strategies with forms; the best comes first.
fn tried(pictures: &[Picture], forms: &[usize], strategies: &[Strategy], plan: &Plan) -> Vec<Tried> {
    let mut tried = Vec::new();
    for &form in forms {
        let picture = &pictures[form];
        let bands = bands(picture, plan.bands);
        for &strategy in strategies {
            let length = pack(picture, strategy, plan.trial, bands).length + chunks::overhead(&picture.color);
            tried.push(Tried { length, form, strategy });
        }
    }
    tried.sort_by_key(|tried| tried.length);
    tried
}

/// Compares the best strategies of a drawing once more, with more rows or at a higher level; the best comes first.
fn try_again(picture: &Picture, best: &mut Vec<Tried>, plan: &Plan) {
    let least = best.first().map_or(0, |tried| tried.length);
    let (decisive, level, bands) = match is_sampled(picture) {
        true => (DECISIVE_PERCENT, plan.trial, bands(picture, plan.bands.div_ceil(MORE_BANDS))),
        false if plan.compares_small() && is_photo(least, picture.rows.len()) => {
            (DECISIVE_PERCENT_PHOTO, plan.second, 1)
        }
        false => (DECISIVE_PERCENT_WHOLE, plan.second, 1),
    };
    best.retain(|tried| least * 100 > tried.length * decisive);
    best.truncate(MOST_TRIED_AGAIN);
    if best.len() > 1 {
        for tried in best.iter_mut() {
            tried.length = pack(picture, tried.strategy, level, bands).length;
            tried.weigh(level, picture);
        }
        best.sort_by_key(|tried| tried.length);
    }
}

/// The number of the best candidates that are close.
fn close(best: &[Tried]) -> usize {
    let least = best.first().map_or(0, |tried| tried.length);
    best.iter().take_while(|tried| least * 100 >= tried.length * CLOSE_PERCENT).count()
}

/// Whether rows compress as little as those of photos do.
fn is_photo(compressed: usize, rows: usize) -> bool {
    compressed * DRAWING > rows
}
