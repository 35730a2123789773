//! Builds the filter chain of a video: square pixels, the requested size and frame rate, no transparency if the output has none.

use super::color::Hdr;
use super::media_info::{Field, Video};
use super::size::{Fit, Resize};

/// Constraints on the output size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) struct SizeConstraints {
    /// Width and height are multiples of this: 2 for subsampled chroma.
    pub(in crate::media) step: u32,
    /// The maximum width.
    pub(in crate::media) max_width: u32,
}

/// The conversion of transparency, bit depth and dynamic range.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::media) struct PixelConversion {
    /// The color behind transparent areas.
    pub(in crate::media) background: Option<[u8; 3]>,
    pub(in crate::media) keeps_alpha: bool,
    /// 10 bits per component instead of 8.
    pub(in crate::media) is_deep: bool,
    /// The high dynamic range to map to BT.709.
    pub(in crate::media) tone_map: Option<Hdr>,
}

impl PixelConversion {
    /// The pixel format of the encoder.
    fn pixel_format(self) -> &'static str {
        match (self.keeps_alpha, self.is_deep) {
            (true, _) => "yuva420p",
            (false, true) => "yuv420p10le",
            (false, false) => "yuv420p",
        }
    }

    /// The same pixel format without chroma subsampling.
    fn full_format(self, is_rgb: bool) -> &'static str {
        match (is_rgb, self.keeps_alpha, self.is_deep) {
            (true, _, _) => "gbrap",
            (false, true, _) => "yuva444p",
            (false, false, true) => "yuv444p10le",
            (false, false, false) => "yuv444p",
        }
    }
}

/// The scaling of a picture.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::media) struct Scaling {
    /// The size to scale to.
    pub(in crate::media) scaled: (u32, u32),
    /// The size of the output, cropped from the center.
    pub(in crate::media) size: (u32, u32),
}

/// Computes the output size of `source` (its displayed size). `shrink` is a further factor of at most 1.
pub(in crate::media) fn scaling(
    source: (u32, u32),
    resize: Option<Resize>,
    constraints: SizeConstraints,
    shrink: f64,
) -> Scaling {
    let (width, height) = (f64::from(source.0.max(1)), f64::from(source.1.max(1)));
    let resize = resize.unwrap_or_default();
    let side = |side: u32| f64::from(side);
    let (mut scaled, mut size) = match (resize.width.map(side), resize.height.map(side)) {
        (None, None) => ((width, height), (width, height)),
        (Some(w), None) => ((w, w * height / width), (w, w * height / width)),
        (None, Some(h)) => ((h * width / height, h), (h * width / height, h)),
        (Some(w), Some(h)) => {
            let (least, most) = ((w / width).min(h / height), (w / width).max(h / height));
            match resize.fit {
                Fit::Fill => ((w, h), (w, h)),
                Fit::Inside => ((width * least, height * least), (width * least, height * least)),
                Fit::Cover => ((width * most, height * most), (w, h)),
            }
        }
    };
    let bound = |bound: Option<u32>, is: f64| bound.map_or(1.0, |bound| (f64::from(bound) / is).min(1.0));
    let widest = resize.max_width.unwrap_or(u32::MAX).min(constraints.max_width);
    let factor = shrink * bound(Some(widest), size.0).min(bound(resize.max_height, size.1));
    for pair in [&mut scaled, &mut size] {
        *pair = (pair.0 * factor, pair.1 * factor);
    }
    let step = f64::from(constraints.step);
    let snap = |side: f64| ((side / step).round() * step).max(step) as u32;
    // Rounded to what the codec takes, but not above what was asked for.
    let within = |side: f64, most: Option<u32>| match most {
        Some(most) if snap(side) > most => ((f64::from(most) / step).floor() * step).max(step) as u32,
        _ => snap(side),
    };
    let size = (within(size.0, resize.max_width), within(size.1, resize.max_height));
    let cover = |scaled: f64, size: u32| snap(scaled).max(size);
    Scaling { scaled: (cover(scaled.0, size.0), cover(scaled.1, size.1)), size }
}

impl Scaling {
    /// Whether the picture keeps its size except for one column or row of padding.
    fn only_pads(&self, source: &Video) -> bool {
        let (width, height) = source.stored;
        let is_near = self.size.0.wrapping_sub(width) <= 1 && self.size.1.wrapping_sub(height) <= 1;
        is_near && self.size != source.stored && source.stored == (source.width, source.height)
    }

    /// The filters; empty if the picture already has this size.
    fn filters(&self, source: &Video, matrix: Option<&str>) -> Vec<String> {
        let mut filters = Vec::new();
        let (width, height) = self.scaled;
        let matrix = matrix.map(|matrix| format!(":{matrix}")).unwrap_or_default();
        if self.scaled != source.stored || !matrix.is_empty() {
            filters.push(format!("scale={width}:{height}:flags=bicubic{matrix}"));
        }
        if self.size != self.scaled {
            filters.push(format!("crop={}:{}", self.size.0, self.size.1));
        }
        if self.scaled != source.stored {
            filters.push("setsar=1".to_owned());
        }
        filters
    }

    /// Pads by repeating the last column and row, so that no pixel changes.
    fn padding(&self, source: &Video, pixel_conversion: PixelConversion) -> Vec<String> {
        let (right, bottom) = (self.size.0 - source.stored.0, self.size.1 - source.stored.1);
        vec![
            format!("format={}", pixel_conversion.full_format(source.is_rgb)),
            format!("pad={}:{}", self.size.0, self.size.1),
            format!("fillborders=right={right}:bottom={bottom}:mode=smear"),
        ]
    }
}

/// Prints the lowest alpha of each frame.
pub(in crate::media) const ALPHA_STATISTICS: &str =
    "format=rgba,alphaextract,signalstats,metadata=print:key=lavfi.signalstats.YMIN:file=-";

/// Whether a line of [`ALPHA_STATISTICS`] tells of a frame that is not opaque.
pub(in crate::media) fn has_transparent_pixel(line: &str) -> bool {
    let lowest = line.trim().strip_prefix("lavfi.signalstats.YMIN=");
    lowest.and_then(|lowest| lowest.parse::<f64>().ok()).is_some_and(|lowest| lowest < 255.0)
}

/// The filters of a video.
pub(in crate::media) fn video(
    source: &Video,
    scaling: &Scaling,
    fps: Option<f64>,
    pixel_conversion: PixelConversion,
) -> String {
    let mut filters: Vec<String> = progressive(source).into_iter().collect();
    // First, because it knows the duration of the last frame.
    filters.extend(rate(fps));
    filters.extend(pixel_conversion.tone_map.map(|hdr| hdr.tone_map("yuv420p")));
    filters.extend(pixel_conversion.background.map(over));
    // RGB has no matrix: the conversion must match the tags of the output.
    let matrix = source.is_rgb.then_some("out_color_matrix=bt709:out_range=tv");
    if scaling.only_pads(source) {
        filters.extend(scaling.padding(source, pixel_conversion));
        let (width, height) = scaling.size;
        filters.extend(matrix.map(|matrix| format!("scale={width}:{height}:flags=bicubic:{matrix}")));
    } else {
        filters.extend(scaling.filters(source, matrix));
    }
    filters.push(format!("format={}", pixel_conversion.pixel_format()));
    filters.join(",")
}

/// Deinterlaces.
fn progressive(source: &Video) -> Option<String> {
    /// Decoders that flag interlaced frames. For others, all frames are deinterlaced.
    const MARKING: [&str; 8] =
        ["h264", "hevc", "mpeg2video", "mpeg1video", "vc1", "dvvideo", "prores", "mpeg4"];
    let parity = match source.first_field? {
        Field::Top => "tff",
        Field::Bottom => "bff",
    };
    let which = if MARKING.contains(&source.codec.as_str()) { "interlaced" } else { "all" };
    Some(format!("bwdif=mode=send_frame:parity={parity}:deint={which}"))
}

/// The filters of an image or animation in RGB.
pub(in crate::media) fn still(source: &Video, scaling: &Scaling, fps: Option<f64>) -> String {
    let mut filters: Vec<String> = progressive(source).into_iter().collect();
    filters.extend(rate(fps));
    filters.extend(source.color.hdr().map(|hdr| hdr.tone_map("yuv444p")));
    // The matrix that players assume for HD video without tags.
    let high = source.height.max(source.width) >= 1280 || source.height >= 720;
    let matrix = (!source.is_rgb && source.matrix_unknown && high).then_some("in_color_matrix=bt709");
    filters.extend(scaling.filters(source, matrix));
    filters.join(",")
}

fn rate(fps: Option<f64>) -> Option<String> {
    fps.map(|fps| format!("fps={}", fraction(fps)))
}

/// NTSC frame rates are exactly 24000/1001, 30000/1001 and 60000/1001; rounded decimals would be different rates.
fn fraction(fps: f64) -> String {
    let whole = (fps * 1.001).round();
    let is_television = (fps * 1.001 - whole).abs() < 0.001 && (fps - fps.round()).abs() > 0.001;
    if is_television {
        format!("{}/1001", whole * 1000.0)
    } else {
        ((fps * 1000.0).round() / 1000.0).to_string()
    }
}

/// Overlays the picture on a color per frame, so that timestamps stay.
fn over([red, green, blue]: [u8; 3]) -> String {
    format!(
        "format=rgba,split[top][under];\
         [under]lutrgb=r={red}:g={green}:b={blue}:a=255[ground];\
         [ground][top]overlay=format=rgb"
    )
}
