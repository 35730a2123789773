//! Several outputs of one file, which share what they can: outputs that are decoded at the same fraction of the size are made from
//! one decoded picture, and those of one size from one resized picture; JPEGs that are made of the components of a JPEG get these while it is
//! decoded for the others. The bytes are those of a call for each.
//!
//! Not shared: animations, documents, drawings, files that are rewritten without decoding them, pictures that pass in
//! bands in their size, and what would take more memory together than [`Room`] has: a call of its own often passes in bands.

use crate::error::{Error, Result};
use crate::image::color_profile::ProfileAction;
#[cfg(feature = "pictures")]
use crate::image::crop_strategy::Overviews;
use crate::image::geometry::Geometry;
use crate::image::output::Output;
use crate::image::progress::{Progress, Reporter, Stage, StageCosts};
use crate::image::request::Request;
#[cfg(feature = "core")]
use crate::image::rewrite;
use crate::image::shared_picture::SharedPicture;
use crate::image::source::Source;
use crate::job::LocalJob;
use crate::pixels::part::Part;

/// Makes the outputs of `jobs` from one file, and passes each to `take` with the index of its job as soon as it is made. The order
/// is that of the work: by size, and the encodings that need the least memory first.
///
/// # Errors
/// Those of [`process`](crate::image::process), with the detail `variant`: the index of the job. No output is made if the header or
/// the limits rule out one of the jobs.
pub fn variants(
    bytes: &[u8],
    jobs: &[LocalJob],
    on_progress: &mut dyn FnMut(Progress),
    take: &mut dyn FnMut(usize, Output),
) -> Result<()> {
    let open = |(index, job)| Request::open(bytes, job).map_err(|error| of_variant(error, index));
    #[cfg_attr(not(feature = "pictures"), allow(unused_mut))]
    let mut requests = jobs.iter().enumerate().map(open).collect::<Result<Vec<_>>>()?;
    #[cfg(feature = "pictures")]
    settle_crops(&mut requests, on_progress)?;
    let mut work = Work::new(&requests, on_progress);
    // Not `sort_by_key`, which takes more of the module than the rest of this file.
    let mut left: Vec<usize> = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        let at = left.partition_point(|&other| requests[other].order() <= request.order());
        left.insert(at, index);
    }
    let most = most_memory(&requests);
    while let Some(&first) = left.first() {
        let key = requests[first].shared_picture();
        let mut room = Room { most, ..Room::default() };
        let is_member = |index: &usize| match key {
            Some(_) => requests[*index].shared_picture() == key && room.takes(&requests[*index]),
            None => *index == first,
        };
        let (members, others): (Vec<usize>, _) = left.into_iter().partition(is_member);
        left = others;
        match members.len() {
            1 => work.process(first, take)?,
            _ => work.share(&members, take)?,
        }
    }
    (work.on_progress)(Progress { stage: Stage::Done, ratio: 1.0, next: 1.0, attempt: 0 });
    Ok(())
}

/// Finds where the outputs are cropped whose options name a strategy.
#[cfg(feature = "pictures")]
fn settle_crops(requests: &mut [Request<'_>], on_progress: &mut dyn FnMut(Progress)) -> Result<()> {
    let costs = StageCosts { decode: 1.0, resize: 0.0, encode: 1.0, attempts: 1 };
    // Only that it is being decoded: how far all outputs are is counted from here on.
    let mut begin =
        |Progress { stage, attempt, .. }| on_progress(Progress { stage, ratio: 0.0, next: 0.0, attempt });
    let mut progress = Reporter::new(&mut begin, costs);
    let mut overviews = Overviews::default();
    requests.iter_mut().enumerate().try_for_each(|(index, request)| {
        overviews.settle(request, &mut progress).map_err(|error| of_variant(error, index))
    })
}

fn of_variant(error: Error, index: usize) -> Error {
    error.with_detail("variant", index as u64)
}

impl Request<'_> {
    /// What the decoded picture depends on, if it can be shared.
    fn shared_picture(&self) -> Option<(u32, Part, ProfileAction)> {
        let source = &self.source;
        #[cfg(feature = "core")]
        let is_rewritten = rewrite::rewriter(self).is_some();
        #[cfg(not(feature = "core"))]
        let is_rewritten = false;
        let is_alone = (source.in_bands && !source.geometry.resizes())
            || source.header.scalable
            || is_rewritten
            || self.is_animated()
            || self.has_pages()
            || self.is_same_picture();
        (!is_alone).then(|| {
            let geometry = &source.geometry;
            (geometry.reduction(&source.header), geometry.part, source.profile)
        })
    }

    /// The peak memory of an output that shares its picture: while it is encoded, the picture is kept for the others, and the resized one
    /// for those of the same size.
    fn held_beside_shared(&self) -> u64 {
        let Source { geometry, header, memory_of_whole, .. } = &self.source;
        let (width, height) = geometry.stored_target();
        let resized = u64::from(width) * u64::from(height) * u64::from(header.bytes_per_pixel);
        let kept = geometry.decoded_bytes(header).saturating_add(resized);
        memory_of_whole.saturating_add(kept)
    }

    /// The order of the work.
    fn order(&self) -> (u64, u64) {
        let Geometry { width, height, .. } = self.source.geometry;
        (u64::from(width) * u64::from(height), self.source.memory)
    }
}

/// What outputs may take together in any case: about as much as a worker and its instance of the engine take before they decode anything.
const FREE: u64 = 24 << 20;

/// The bytes that outputs may take together: a fifth more than the largest by itself.
fn most_memory(requests: &[Request<'_>]) -> u64 {
    let largest = requests.iter().map(|request| request.source.memory).max().unwrap_or_default();
    largest.saturating_add(largest / 5).max(FREE)
}

/// The memory of outputs that share a picture.
#[derive(Default)]
struct Room {
    /// The most that they may take.
    most: u64,
    /// The peak memory of the one that takes the most, if no other is prepared.
    peak: u64,
    /// What those take together that are prepared while the file is read, beside the file and its decoder.
    prepared: u64,
}

impl Room {
    /// Adds an output if it fits beside those before it. The first one does.
    fn takes(&mut self, request: &Request<'_>) -> bool {
        let Source { bytes, header, memory, limits, .. } = &request.source;
        let reading = bytes.len() as u64 + header.decoder_bytes;
        let (peak, own) = match request.coded_resizing() {
            Some(_) => (reading, memory.saturating_sub(reading)),
            None => (request.held_beside_shared(), 0),
        };
        let (peak, prepared) = (self.peak.max(peak), self.prepared + own);
        let fits = self.peak == 0 || peak + prepared <= self.most.min(limits.max_memory_bytes);
        if fits {
            *self = Self { peak, prepared, ..*self };
        }
        fits
    }
}

/// The requests of one file, and how far they are.
struct Work<'a, 'b> {
    requests: &'a [Request<'a>],
    on_progress: &'b mut dyn FnMut(Progress),
    /// What all requests take, and those that are done.
    costs: (f64, f64),
}

impl<'a, 'b> Work<'a, 'b> {
    fn new(requests: &'a [Request<'a>], on_progress: &'b mut dyn FnMut(Progress)) -> Self {
        let all = requests.iter().map(|request| total(request.stage_costs())).sum();
        Self { requests, on_progress, costs: (all, 0.0) }
    }

    /// Does `work` for one request, with the progress of all.
    fn tracked<T>(
        &mut self,
        index: usize,
        work: impl FnOnce(&Request<'a>, &mut Reporter<'_>) -> Result<T>,
    ) -> Result<T> {
        let request = &self.requests[index];
        let costs = request.stage_costs();
        let (all, done) = self.costs;
        let all = all.max(f64::MIN_POSITIVE);
        let share = total(costs) / all;
        let mut notify = |progress: Progress| {
            let at = |ratio: f64| (done / all + ratio * share).min(1.0);
            (self.on_progress)(Progress { ratio: at(progress.ratio), next: at(progress.next), ..progress });
        };
        let result = work(request, &mut Reporter::new(&mut notify, costs));
        self.costs.1 += total(costs);
        result.map_err(|error| of_variant(error, index))
    }

    /// Makes one output that shares nothing.
    fn process(&mut self, index: usize, take: &mut dyn FnMut(usize, Output)) -> Result<()> {
        let output = self.tracked(index, |request, progress| request.process(progress))?;
        take(index, output);
        Ok(())
    }

    /// Makes outputs of one decoded picture. `members` are in their order.
    fn share(&mut self, members: &[usize], take: &mut dyn FnMut(usize, Output)) -> Result<()> {
        let requests = self.requests;
        let mut shared = SharedPicture::default();
        for (number, &index) in members.iter().enumerate() {
            let output = self.tracked(index, |request, progress| {
                if number == 0 {
                    shared.read(requests, members, progress)?;
                }
                let made = match shared.coded(index) {
                    Some(finish) => {
                        progress.encode();
                        request.finish(finish()?, request.encoding(), request.source.size(), Vec::new())
                    }
                    None => {
                        let (picture, warnings) = shared.next_picture(requests, progress)?;
                        request.encode_picture(picture, warnings, progress)?
                    }
                };
                Ok(request.choose(Some(request.complete(made))))
            })?;
            take(index, output);
        }
        Ok(())
    }
}

/// What a request takes.
fn total(costs: StageCosts) -> f64 {
    costs.decode + costs.resize + costs.encode * f64::from(costs.attempts)
}
