//! The progress of a call: which stage runs, and which share of the whole is done.
//!
//! Shares are estimated from what each codec takes per pixel. A search has an unknown number of attempts, so that their
//! shares shrink after the expected number.

/// A stage of the pipeline that takes noticeable time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Decoding.
    Decode,
    /// Resizing.
    Resize,
    /// Encoding.
    Encode,
    /// The call is finished.
    Done,
}

impl Stage {
    /// The name in JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Resize => "resize",
            Self::Encode => "encode",
            Self::Done => "done",
        }
    }
}

/// What is known at one moment of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The stage that runs from now on.
    pub stage: Stage,
    /// The share of the whole call that is done, 0 to 1. Never decreases.
    pub ratio: f64,
    /// The share that will be done at the next report, 0 to 1.
    pub next: f64,
    /// The attempt of a search for a target size or a score, from 1; 0 before the first and without a search.
    pub attempt: u32,
}

/// What the stages of a call take, in any unit of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StageCosts {
    pub(crate) decode: f64,
    pub(crate) resize: f64,
    /// One encoding.
    pub(crate) encode: f64,
    /// The expected number of encodings; more than 1 in a search.
    pub(crate) attempts: u32,
}

/// Reports the progress of one call.
pub(crate) struct Reporter<'a> {
    notify: &'a mut dyn FnMut(Progress),
    costs: StageCosts,
    attempt: u32,
    /// The share that is done, and the share at the next report.
    span: (f64, f64),
}

impl<'a> Reporter<'a> {
    /// `notify` receives every report.
    pub(crate) fn new(notify: &'a mut dyn FnMut(Progress), costs: StageCosts) -> Self {
        Self { notify, costs, attempt: 0, span: (0.0, 0.0) }
    }

    /// Decoding begins.
    pub(crate) fn decode(&mut self) {
        self.enter(Stage::Decode, 0.0, self.share(self.costs.decode));
    }

    /// Resizing begins.
    pub(crate) fn resize(&mut self) {
        let StageCosts { decode, resize, .. } = self.costs;
        self.enter(Stage::Resize, self.share(decode), self.share(decode + resize));
    }

    /// One encoding begins: the only one, or the next attempt of a search.
    pub(crate) fn encode(&mut self) {
        let StageCosts { decode, resize, attempts, .. } = self.costs;
        let from = self.share(decode + resize);
        let at = |attempt| from + (1.0 - from) * share_of_attempts(attempt, attempts);
        let (done, next) = (at(self.attempt), at(self.attempt + 1));
        self.attempt += 1;
        self.enter(Stage::Encode, done, next);
    }

    /// `done` of `all` equal parts of the encoding that runs are finished.
    #[cfg(feature = "core")]
    pub(crate) fn part(&mut self, done: u32, all: u32) {
        let (from, to) = self.span;
        let at = |part: u32| from + (to - from) * f64::from(part.min(all)) / f64::from(all.max(1));
        self.report(Stage::Encode, at(done), at(done.saturating_add(1)));
    }

    /// The call is finished.
    pub(crate) fn finish(&mut self) {
        self.enter(Stage::Done, 1.0, 1.0);
    }

    fn enter(&mut self, stage: Stage, ratio: f64, next: f64) {
        self.span = (ratio, next);
        self.report(stage, ratio, next);
    }

    fn report(&mut self, stage: Stage, ratio: f64, next: f64) {
        let attempt = if self.costs.attempts > 1 { self.attempt } else { 0 };
        (self.notify)(Progress { stage, ratio, next, attempt });
    }

    /// The share of the whole that `cost` is.
    fn share(&self, cost: f64) -> f64 {
        let StageCosts { decode, resize, encode, attempts } = self.costs;
        cost / (decode + resize + encode * f64::from(attempts)).max(f64::MIN_POSITIVE)
    }
}

/// The share of a search that is done after `done` attempts: even shares for the expected number, then half of the rest
/// for each.
fn share_of_attempts(done: u32, expected: u32) -> f64 {
    // A single encoding ends with the call, and needs no rest.
    let parts = if expected > 1 { expected + 1 } else { 1 };
    let even = f64::from(done.min(expected)) / f64::from(parts);
    1.0 - (1.0 - even) * 0.5_f64.powi(done.saturating_sub(expected).min(64) as i32)
}
