//! A picture that is decoded once for several outputs of one scale.

use std::borrow::Cow;

use image::DynamicImage;

use crate::error::Result;
use crate::formats::coded::{Finish, ResizeCoded};
use crate::image::coded_resize;
use crate::image::geometry::Geometry;
use crate::image::pipeline::{Decoded, Stages};
use crate::image::progress::Reporter;
use crate::image::request::Request;
use crate::warning::Warning;

/// What is left to be made of it.
#[derive(Default)]
pub(crate) struct SharedPicture {
    /// By number of request, what makes an output without pixels.
    coded: Vec<Option<Finish>>,
    /// The requests whose outputs are made of pixels, in their order, and how many of them are done.
    of_pixels: Vec<usize>,
    done: usize,
    /// The pixels as the file has them.
    decoded: Option<Decoded>,
    /// The same behind the stages that all outputs have in common, and the warnings of these.
    settled: Option<(DynamicImage, Vec<Warning>)>,
    /// The same behind the stages that outputs of one size have in common.
    shaped: Option<DynamicImage>,
}

impl Request<'_> {
    /// What makes the output without decoding the picture to pixels.
    pub(crate) fn coded_resizing(&self) -> Option<&'static ResizeCoded> {
        coded_resize::codec_for(&self.source, self.encoding())
    }
}

impl SharedPicture {
    /// Reads the file of `members`, which are numbers of requests.
    pub(crate) fn read(
        &mut self,
        requests: &[Request<'_>],
        members: &[usize],
        progress: &mut Reporter<'_>,
    ) -> Result<()> {
        progress.decode();
        let (mut codec, mut coded, mut outputs) = (None, Vec::new(), Vec::new());
        for &index in members {
            let request = &requests[index];
            match request.coded_resizing() {
                Some(found) => {
                    codec = Some(found);
                    coded.push(index);
                    outputs.push(coded_resize::output_of(&request.source, request.encoding()));
                }
                None => self.of_pixels.push(index),
            }
        }
        self.coded.resize_with(requests.len(), || None);
        let Some(codec) = codec else {
            self.decoded = Some(requests[self.of_pixels[0]].source.decoded()?);
            return Ok(());
        };
        let is_first = coded[0] == members[0];
        let begin = &mut || {
            if is_first {
                progress.resize();
            }
        };
        let file = (codec, &requests[members[0]].source);
        let resized = coded_resize::prepare(file, &outputs, !self.of_pixels.is_empty(), begin)?;
        for (index, finish) in coded.into_iter().zip(resized.outputs) {
            self.coded[index] = Some(finish);
        }
        self.decoded = resized.pixels.map(Decoded::Pixels);
        Ok(())
    }

    /// What makes the file of a request without the pixels, if that is how it is made.
    pub(crate) fn coded(&mut self, index: usize) -> Option<Finish> {
        self.coded.get_mut(index)?.take()
    }

    /// The picture of the next request that is made of pixels, behind all stages, with the warnings of these.
    pub(crate) fn next_picture(
        &mut self,
        requests: &[Request<'_>],
        progress: &mut Reporter<'_>,
    ) -> Result<(DynamicImage, Vec<Warning>)> {
        let request = &requests[self.of_pixels[self.done]];
        self.done += 1;
        let later = &self.of_pixels[self.done..];
        let is_same =
            |index: &usize| is_same_view(&requests[*index].source.geometry, &request.source.geometry);
        let is_last_size = later.iter().all(is_same);
        let is_last_of_size = !later.first().is_some_and(is_same);
        let overlay = request.mark(request.source.size())?;
        let stages = Stages { overlay: overlay.as_ref(), ..request.source.stages() };
        if let Some(decoded) = self.decoded.take() {
            let mut warnings = Vec::new();
            self.settled = Some((stages.settle(decoded, &mut warnings), warnings));
        }
        let mut warnings = self.settled.as_ref().map(|(_, known)| known.clone()).unwrap_or_default();
        if self.shaped.is_none()
            && let Some((picture, _)) = &mut self.settled
        {
            let picture = match is_last_size {
                // Its memory is free before the largest picture is encoded.
                true => Cow::Owned(std::mem::take(picture)),
                false => Cow::Borrowed(&*picture),
            };
            self.shaped = Some(stages.shape(picture, Some(progress))?);
        }
        let picture = if is_last_of_size { self.shaped.take() } else { self.shaped.clone() };
        Ok((stages.fit(picture.unwrap_or_default(), &mut warnings), warnings))
    }
}

/// Whether two outputs that share a decoded picture also share the resized one.
fn is_same_view(one: &Geometry, other: &Geometry) -> bool {
    (one.stored_target(), one.orientation, one.position)
        == (other.stored_target(), other.orientation, other.position)
}
