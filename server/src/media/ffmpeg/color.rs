//! Color tags: primaries, transfer, matrix and range (ITU-T H.273), and HDR10 metadata.

use serde::Deserialize;
use serde_json::Value;

use super::ratio::ratio;

/// Transfer functions of high dynamic range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum Hdr {
    /// Perceptual quantizer (SMPTE ST 2084), used by HDR10.
    Pq,
    /// Hybrid log-gamma (ARIB STD-B67).
    Hlg,
}

/// The color tags of a stream, with ffmpeg's names; empty if unknown.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Color {
    pub(in crate::media) primaries: String,
    pub(in crate::media) transfer: String,
    pub(in crate::media) matrix: String,
    pub(in crate::media) range: String,
    pub(in crate::media) mastering: Option<MasteringDisplay>,
    pub(in crate::media) light: Option<ContentLightLevel>,
}

/// The mastering display (SMPTE ST 2086).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::media) struct MasteringDisplay {
    /// The chromaticities x and y of red, green, blue and white.
    pub(in crate::media) points: [(f64, f64); 4],
    /// The minimum and maximum luminance in cd/m².
    pub(in crate::media) luminance: (f64, f64),
}

/// The maximum content light level and maximum frame-average light level in cd/m² (CTA-861.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) struct ContentLightLevel {
    pub(in crate::media) content: u32,
    pub(in crate::media) average: u32,
}

/// An entry of `side_data_list`.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct SideData(Value);

#[derive(Deserialize)]
struct Frames {
    #[serde(default)]
    frames: Vec<Frame>,
}

#[derive(Deserialize)]
struct Frame {
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

impl SideData {
    pub(super) fn rotation(&self) -> Option<f64> {
        self.0.get("rotation")?.as_f64()
    }

    fn ratio(&self, name: &str) -> Option<f64> {
        ratio(self.0.get(name)?.as_str(), '/').filter(|ratio| ratio.is_finite() && *ratio >= 0.0)
    }

    fn mastering(&self) -> Option<MasteringDisplay> {
        let point = |name: &str| Some((self.ratio(&format!("{name}_x"))?, self.ratio(&format!("{name}_y"))?));
        Some(MasteringDisplay {
            points: [point("red")?, point("green")?, point("blue")?, point("white_point")?],
            luminance: (self.ratio("min_luminance")?, self.ratio("max_luminance")?),
        })
    }

    fn light(&self) -> Option<ContentLightLevel> {
        let number = |name: &str| u16::try_from(self.0.get(name)?.as_u64()?).ok().map(u32::from);
        Some(ContentLightLevel { content: number("max_content")?, average: number("max_average")? })
    }
}

impl Color {
    /// `words`: primaries, transfer, matrix, range. Unknown names are ignored.
    pub(super) fn read(words: [&str; 4], side_data: &[SideData]) -> Self {
        let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let [primaries, transfer, matrix, range] = words
            .map(|word| if word != "unknown" && is_word(word) { word.to_owned() } else { String::new() });
        let mut color = Self { primaries, transfer, matrix, range, mastering: None, light: None };
        color.add(side_data);
        color
    }

    fn add(&mut self, side_data: &[SideData]) {
        self.mastering = self.mastering.or(side_data.iter().find_map(SideData::mastering));
        self.light = self.light.or(side_data.iter().find_map(SideData::light));
    }

    /// Adds the metadata of the first frame from ffprobe's JSON.
    pub(in crate::media) fn add_frame(&mut self, json: &[u8]) {
        let Ok(frames) = serde_json::from_slice::<Frames>(json) else { return };
        frames.frames.iter().for_each(|frame| self.add(&frame.side_data_list));
    }

    /// The HDR transfer function; `None` for standard dynamic range.
    pub(in crate::media) fn hdr(&self) -> Option<Hdr> {
        match self.transfer.as_str() {
            "smpte2084" => Some(Hdr::Pq),
            "arib-std-b67" => Some(Hdr::Hlg),
            _ => None,
        }
    }

    /// The x265 parameters for color tags and HDR10 metadata, which x265 writes itself.
    pub(super) fn x265(&self) -> String {
        let mut line = String::new();
        if let Some(MasteringDisplay { points, luminance }) = self.mastering {
            // Chromaticities in units of 0.00002, luminance in units of 0.0001 cd/m².
            let [red, green, blue, white] = points.map(|(x, y)| {
                format!("({},{})", (x * 50_000.0).round() as u16, (y * 50_000.0).round() as u16)
            });
            let [least, most] =
                [luminance.0, luminance.1].map(|luminance| (luminance * 10_000.0).round() as u32);
            line.push_str(&format!(":master-display=G{green}B{blue}R{red}WP{white}L({most},{least})"));
        }
        if let Some(ContentLightLevel { content, average }) = self.light {
            line.push_str(&format!(":max-cll={content},{average}"));
        }
        line
    }
}

impl Hdr {
    /// ffmpeg's name of the transfer function.
    pub(super) const fn transfer(self) -> &'static str {
        match self {
            Self::Pq => "smpte2084",
            Self::Hlg => "arib-std-b67",
        }
    }

    /// The filters that tone-map to BT.709. Reference white (203 cd/m², ITU-R BT.2408) becomes white.
    pub(super) fn tone_map(self, pixel_format: &str) -> String {
        let transfer = self.transfer();
        format!(
            "zscale=tin={transfer}:pin=bt2020:min=bt2020nc:rin=tv:t=linear:npl=203,format=gbrpf32le,\
             zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format={pixel_format}"
        )
    }
}
