//! The settings of a task, typed and checked against their ranges. Each pair of types has its own set of settings.

mod pages;
mod password;
mod reader;
mod resize;
mod setting_names;
mod tracks;

use filepress_wire::MediaType;
use serde_json::{Map, Value};

use super::PlanError;
use super::conversion_kind::ConversionKind;
use super::ffmpeg::container;
use super::ffmpeg::preset::Preset;
use super::ffmpeg::size::Resize;
use super::ffmpeg::trim::Trim;
use super::ffmpeg::video_codec::VideoCodec;
pub(super) use pages::Pages;
pub(super) use password::{PASSWORD, Password};
use reader::Reader;
pub(super) use reader::{SETTINGS, invalid, list};
pub(super) use tracks::StreamSelection;

/// The largest integer that every JSON parser represents exactly.
const MAX_EXACT: u64 = (1 << 53) - 1;
/// The largest time of `trim` in seconds.
const MAX_SECONDS: f64 = 1_000_000.0;

/// All settings; `None` if not given or not available for the pair.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Settings {
    /// Only a smaller file is wanted.
    pub(super) optimize: bool,
    /// Remove metadata that is not needed to display or play the file. Default true.
    pub(super) strip_metadata: bool,
    /// The maximum size of the output in bytes.
    pub(super) target_size: Option<u64>,
    pub(super) resize: Option<Resize>,
    /// 1 (smallest) to 100 (best).
    pub(super) quality: Option<u8>,
    pub(super) lossless: Option<bool>,
    /// 0 (fastest) to 9 (smallest).
    pub(super) effort: Option<u8>,
    /// The most colors of a palette, 2 to 256.
    pub(super) colors: Option<u16>,
    /// How strongly a palette is dithered, 0 to 1.
    pub(super) dither: Option<f64>,
    /// The resolution of chroma, as the engine names it.
    pub(super) chroma: Option<&'static str>,
    /// In the form that the engine accepts: `#rgb`, `#rrggbb`, `white`, `black`.
    pub(super) background: Option<String>,
    pub(super) codec: Option<VideoCodec>,
    /// 0 (best) to 51 or 63, depending on the codec.
    pub(super) crf: Option<u8>,
    pub(super) preset: Option<Preset>,
    /// Bits per second.
    pub(super) video_bitrate: Option<u64>,
    pub(super) fps: Option<f64>,
    /// No audio; the same as [`StreamSelection::None`] for `audio`.
    pub(super) mute: bool,
    /// The selected audio streams.
    pub(super) audio: Option<StreamSelection>,
    /// The selected subtitle streams.
    pub(super) subtitles: Option<StreamSelection>,
    pub(super) trim: Option<Trim>,
    /// The bit rate of the audio in bits per second.
    pub(super) bitrate: Option<u32>,
    pub(super) sample_rate: Option<u32>,
    pub(super) channels: Option<u32>,
    pub(super) dpi: Option<u32>,
    pub(super) pages: Option<Pages>,
    /// From 1.
    pub(super) page: Option<u32>,
    /// The password of the input.
    pub(super) password: Option<Password>,
}

impl Settings {
    /// Reads the settings of a pair.
    pub(super) fn read(
        kind: ConversionKind,
        (input, output): (MediaType, MediaType),
        members: &Map<String, Value>,
    ) -> Result<Self, PlanError> {
        let pair = format!("{} → {}", input.name(), output.name());
        let members = Value::Object(members.clone());
        let reader = Reader::open(&members, &setting_names::of(kind, output), &pair)?;
        let mut settings = Self {
            optimize: reader.boolean("optimize")?.unwrap_or(false),
            strip_metadata: reader.boolean("strip_metadata")?.unwrap_or(true),
            target_size: reader.integer("target_size", 1..=MAX_EXACT)?,
            resize: Resize::read(&reader)?,
            quality: reader.integer("quality", 1..=100)?.map(|quality| quality as u8),
            lossless: reader.boolean("lossless")?,
            effort: reader.integer("effort", 0..=9)?.map(|effort| effort as u8),
            colors: reader.integer("colors", 2..=256)?.map(|colors| colors as u16),
            dither: reader.number("dither", 0.0..=1.0)?,
            chroma: reader.word("chroma", &["auto", "444", "420"].map(|word| (word, word)))?,
            background: background(&reader)?,
            mute: reader.boolean("mute")?.unwrap_or(false),
            audio: StreamSelection::read(&reader, "audio", kind == ConversionKind::Video)?,
            subtitles: StreamSelection::read(&reader, "subtitles", true)?,
            fps: reader.number("fps", 1.0..=120.0)?,
            trim: trim(&reader)?,
            dpi: reader.integer("dpi", 36..=600)?.map(|dpi| dpi as u32),
            pages: pages(&reader)?,
            page: reader.integer("page", 1..=1_000_000)?.map(|page| page as u32),
            password: Password::read(&reader)?,
            ..Self::default()
        };
        settings.read_picture(&reader, output)?;
        settings.read_sound(&reader, output)?;
        settings.check_together(kind, &reader)?;
        Ok(settings)
    }

    fn read_picture(&mut self, reader: &Reader<'_>, output: MediaType) -> Result<(), PlanError> {
        let Some(container) = container::of(output) else { return Ok(()) };
        let Some(&default) = container.video.first() else { return Ok(()) };
        let codecs: Vec<_> = container.video.iter().map(|codec| (codec.name(), *codec)).collect();
        self.codec = reader.word("codec", &codecs)?;
        let max_crf = self.codec.unwrap_or(default).max_crf();
        self.crf = reader.integer("crf", 0..=u64::from(max_crf))?.map(|crf| crf as u8);
        self.preset = reader.word("preset", &Preset::WORDS)?;
        self.video_bitrate = reader.integer("video_bitrate", 10_000..=200_000_000)?;
        Ok(())
    }

    fn read_sound(&mut self, reader: &Reader<'_>, output: MediaType) -> Result<(), PlanError> {
        let Some(codec) = container::of(output).map(|container| container.audio) else { return Ok(()) };
        if let Some((least, most)) = codec.bitrates() {
            let range = u64::from(least)..=u64::from(most);
            self.bitrate = reader.integer("bitrate", range)?.map(|bitrate| bitrate as u32);
        }
        let rate = reader.integer("sample_rate", 8_000..=192_000)?.map(|rate| rate as u32);
        let rates = codec.sample_rates();
        if rate.is_some_and(|rate| !rates.is_empty() && !rates.contains(&rate)) {
            return Err(reader.refuse("sample_rate", format!("must be one of {}", list(rates.iter()))));
        }
        self.sample_rate = rate;
        let most = if output == MediaType::ThreeGpp { 1 } else { codec.max_channels() };
        self.channels = reader.integer("channels", 1..=u64::from(most))?.map(|channels| channels as u32);
        Ok(())
    }

    /// Refuses combinations of settings that contradict each other.
    fn check_together(&self, kind: ConversionKind, reader: &Reader<'_>) -> Result<(), PlanError> {
        let alone = |name, other| {
            Err(reader.refuse(name, format!("cannot be combined with `{other}`: both set the same thing")))
        };
        if self.page.is_some() && self.pages.is_some() {
            return alone("page", "pages");
        }
        if kind == ConversionKind::PdfToImage && self.pages.is_some() && self.target_size.is_some() {
            return Err(reader
                .refuse("target_size", "cannot be combined with `pages`, which can produce several images"));
        }
        if self.crf.is_some() && self.video_bitrate.is_some() {
            return alone("crf", "video_bitrate");
        }
        if self.mute && self.audio.as_ref().is_some_and(|selection| *selection != StreamSelection::None) {
            return alone("audio", "mute");
        }
        if self.target_size.is_some() {
            if self.crf.is_some() {
                return alone("crf", "target_size");
            }
            if self.video_bitrate.is_some() {
                return alone("video_bitrate", "target_size");
            }
        }
        Ok(())
    }

    /// Whether the settings change the picture or sound, so that the original cannot be returned.
    pub(super) fn changes_content(&self) -> bool {
        self.resize.is_some_and(|resize| resize.width.is_some() || resize.height.is_some())
            || self.codec.is_some()
            || self.fps.is_some()
            || self.mute
            || self.audio.is_some()
            || self.subtitles.is_some()
            || self.trim.is_some()
            || self.sample_rate.is_some()
            || self.channels.is_some()
            || self.pages.is_some()
    }

    /// Whether a setting fixes the quality, bit rate or resolution.
    pub(super) fn sets_rate(&self) -> bool {
        self.bitrate.is_some()
            || self.video_bitrate.is_some()
            || self.crf.is_some()
            || self.quality.is_some()
            || self.dpi.is_some()
    }

    /// The settings as options of the image engine.
    pub(super) fn engine_options(&self, output: MediaType) -> Map<String, Value> {
        let mut options = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                options.insert(name.to_owned(), value);
            }
        };
        put("to", Some(output.as_str().into()));
        put("quality", self.quality.map(Value::from));
        put("targetSize", self.target_size.map(Value::from));
        put("lossless", self.lossless.map(Value::from));
        put("effort", self.effort.map(Value::from));
        put("colors", self.colors.map(Value::from));
        put("dither", self.dither.map(Value::from));
        put("chroma", self.chroma.map(Value::from));
        put("background", self.background.clone().map(Value::from));
        put("metadata", Some(if self.strip_metadata { "strip" } else { "keep" }.into()));
        put("resize", self.resize.map(Resize::engine_option));
        options
    }
}

fn trim(reader: &Reader<'_>) -> Result<Option<Trim>, PlanError> {
    let Some(reader) = reader.object("trim", &["start", "end"])? else { return Ok(None) };
    let start = reader.number("start", 0.0..=MAX_SECONDS)?.unwrap_or(0.0);
    let end = reader.number("end", 0.0..=MAX_SECONDS)?;
    if end.is_some_and(|end| end <= start) {
        return Err(reader.refuse("end", "must be a time after `start`, in seconds"));
    }
    Ok(Some(Trim { start, end }))
}

fn pages(reader: &Reader<'_>) -> Result<Option<Pages>, PlanError> {
    const EXPECTED: &str = "\"all\", or a list of pages and ranges such as \"1-3,5,8-\"";
    let Some(text) = reader.text("pages", EXPECTED)? else { return Ok(None) };
    Pages::parse(text).map(Some).ok_or_else(|| reader.refuse("pages", format_args!("must be {EXPECTED}")))
}

/// Reads a color; the engine parses it.
fn background(reader: &Reader<'_>) -> Result<Option<String>, PlanError> {
    const EXPECTED: &str = "a color as \"#rgb\", \"#rrggbb\", \"white\" or \"black\"";
    let Some(text) = reader.text("background", EXPECTED)? else { return Ok(None) };
    match color(text) {
        Some(_) => Ok(Some(text.to_owned())),
        None => Err(reader.refuse("background", format_args!("must be {EXPECTED}"))),
    }
}

/// Red, green and blue of a `background`.
pub(super) fn color(text: &str) -> Option<[u8; 3]> {
    let options = Map::from_iter([("background".to_owned(), text.into())]);
    Some(super::engine::parse(options).ok()?.background?.0)
}
