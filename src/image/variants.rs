//! Several outputs of one file, which share what they can: outputs that are decoded at the same fraction of the size are made from
//! one decoded picture, and those of one size from one resized picture. The bytes are those of a call for each.
//!
//! Not shared: animations, documents, drawings, files that are rewritten without decoding them, and pictures that pass in
//! bands in their size, because holding all of their pixels would take more memory than any of the calls.

use std::borrow::Cow;

use image::DynamicImage;

use crate::error::{Error, Result};
use crate::image::color_profile::ProfileAction;
#[cfg(feature = "core")]
use crate::image::crop_strategy::Overviews;
use crate::image::geometry::Geometry;
use crate::image::output::Output;
use crate::image::pipeline::Stages;
use crate::image::progress::{Progress, Reporter, Stage, StageCosts};
use crate::image::request::Request;
#[cfg(feature = "core")]
use crate::image::rewrite;
use crate::job::LocalJob;
use crate::pixels::part::Part;
use crate::warning::Warning;

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
    #[cfg_attr(not(feature = "core"), allow(unused_mut))]
    let mut requests = jobs.iter().enumerate().map(open).collect::<Result<Vec<_>>>()?;
    #[cfg(feature = "core")]
    settle_crops(&mut requests, on_progress)?;
    let mut work = Work::new(&requests, on_progress);
    // Not `sort_by_key`, which takes more of the module than the rest of this file.
    let mut left: Vec<usize> = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        let at = left.partition_point(|&other| requests[other].order() <= request.order());
        left.insert(at, index);
    }
    while let Some(&first) = left.first() {
        let key = requests[first].shared_picture();
        let is_member = |index: &usize| match key {
            Some(_) => requests[*index].shared_picture() == key,
            None => *index == first,
        };
        let (members, others) = left.into_iter().partition(is_member);
        left = others;
        match key {
            Some(_) => work.share(&members, take)?,
            None => work.process(first, take)?,
        }
    }
    (work.on_progress)(Progress { stage: Stage::Done, ratio: 1.0, next: 1.0, attempt: 0 });
    Ok(())
}

/// Finds where the outputs are cropped whose options name a strategy.
#[cfg(feature = "core")]
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
        let geometry = &source.geometry;
        // While one output is encoded, the picture is kept for the others, and the resized one for those of the same size.
        let (width, height) = geometry.stored_target();
        let resized = u64::from(width) * u64::from(height) * u64::from(source.header.bytes_per_pixel);
        let kept = geometry.decoded_bytes(&source.header).saturating_add(resized);
        let held = source.memory_of_whole.saturating_add(kept);
        let fits = held <= source.limits.max_memory_bytes;
        (!is_alone && fits).then(|| (geometry.reduction(&source.header), geometry.part, source.profile))
    }

    /// The order of the work.
    fn order(&self) -> (u64, u64) {
        let Geometry { width, height, .. } = self.source.geometry;
        (u64::from(width) * u64::from(height), self.source.memory)
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
        let mut settled: Option<(DynamicImage, Vec<Warning>)> = None;
        let mut shaped: Option<DynamicImage> = None;
        for (at, &index) in members.iter().enumerate() {
            let geometry = |index: usize| &self.requests[index].source.geometry;
            let later = &members[at + 1..];
            let is_last_of_size =
                later.first().is_none_or(|&next| !is_same_view(geometry(next), geometry(index)));
            let is_last_size = later.iter().all(|&next| is_same_view(geometry(next), geometry(index)));
            let output = self.tracked(index, |request, progress| {
                let overlay = request.mark(request.source.size())?;
                let stages = Stages { overlay: overlay.as_ref(), ..request.source.stages() };
                let mut warnings = Vec::new();
                if settled.is_none() && shaped.is_none() {
                    progress.decode();
                    let picture = stages.settle(request.source.decoded()?, &mut warnings);
                    settled = Some((picture, warnings.clone()));
                } else if let Some((_, known)) = &settled {
                    warnings.clone_from(known);
                }
                if shaped.is_none()
                    && let Some((picture, _)) = &mut settled
                {
                    let picture = match is_last_size {
                        // Its memory is free before the largest picture is encoded.
                        true => Cow::Owned(std::mem::take(picture)),
                        false => Cow::Borrowed(&*picture),
                    };
                    shaped = Some(stages.shape(picture, Some(progress))?);
                }
                let picture = if is_last_of_size { shaped.take() } else { shaped.clone() };
                let picture = stages.fit(picture.unwrap_or_default(), &mut warnings);
                let made = request.encode_picture(picture, warnings, progress)?;
                Ok(request.choose(Some(request.complete(made))))
            })?;
            take(index, output);
        }
        Ok(())
    }
}

/// Whether two outputs that share a decoded picture also share the resized one.
fn is_same_view(one: &Geometry, other: &Geometry) -> bool {
    (one.stored_target(), one.orientation, one.position)
        == (other.stored_target(), other.orientation, other.position)
}

/// What a request takes.
fn total(costs: StageCosts) -> f64 {
    costs.decode + costs.resize + costs.encode * f64::from(costs.attempts)
}
