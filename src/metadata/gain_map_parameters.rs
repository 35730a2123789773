//! How a gain map is applied, as ISO 21496-1 describes it: read from its binary form (annex C.2) or from the XMP of Ultra HDR, and written
//! in the binary form.

use crate::containers::isobmff::Reader;
use crate::metadata::gain_map::spans;

/// The denominator of every fraction that is written. It makes the usual offset of 1/64 exact.
const DENOMINATOR: u32 = 1 << 20;
/// The least number that is written as another one than 0.
const STEP: f64 = 1.0 / 1_048_576.0;
/// The largest magnitude whose numerator fits. No parameter of a real picture comes near.
const MAX: f64 = 2000.0;

/// Flags of the binary form: each color channel has its own parameters; the map applies in the picture's color space; all fractions
/// share one denominator.
const IS_MULTICHANNEL: u8 = 1 << 7;
const USES_BASE_COLORS: u8 = 1 << 6;
const HAS_COMMON_DENOMINATOR: u8 = 1 << 3;

/// How a gain map is applied.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameters {
    /// Of the picture in the file, and of the picture that the whole map makes of it: the binary logarithm of the ratio of the
    /// brightest light to standard white.
    headrooms: [f64; 2],
    /// Whether the map applies in the color space of the picture in the file.
    uses_base_colors: bool,
    /// One for all channels, or one for each of red, green and blue.
    channels: Vec<Channel>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Channel {
    /// Binary logarithms of the gain at samples of 0 and 1.
    minimum: f64,
    maximum: f64,
    /// The exponent that the samples are coded with.
    gamma: f64,
    /// What is added to the light before it is multiplied, and subtracted behind that.
    base_offset: f64,
    alternate_offset: f64,
}

impl Parameters {
    /// Reads the binary form. `None` if it is damaged, or of another version.
    pub(crate) fn from_iso(payload: &[u8]) -> Option<Self> {
        let mut reader = Reader(payload);
        let minimum_version = reader.u16()?;
        let _writer_version = reader.u16()?;
        let flags = reader.u8().filter(|_| minimum_version == 0)?;
        let common = if flags & HAS_COMMON_DENOMINATOR == 0 { None } else { Some(reader.u32()?) };
        let mut fraction = |is_signed: bool| {
            let numerator = reader.u32()?;
            let denominator = common.map_or_else(|| reader.u32(), Some)?;
            let numerator = if is_signed { f64::from(numerator.cast_signed()) } else { f64::from(numerator) };
            Some(numerator / f64::from(denominator))
        };
        let headrooms = [fraction(false)?, fraction(false)?];
        let count = if flags & IS_MULTICHANNEL == 0 { 1 } else { 3 };
        let mut channels = Vec::with_capacity(count);
        for _ in 0..count {
            channels.push(Channel {
                minimum: fraction(true)?,
                maximum: fraction(true)?,
                gamma: fraction(false)?,
                base_offset: fraction(true)?,
                alternate_offset: fraction(true)?,
            });
        }
        Self { headrooms, uses_base_colors: flags & USES_BASE_COLORS != 0, channels }.valid()
    }

    /// Reads the properties of Ultra HDR (Ultra HDR Image Format 1.1, "XMP attributes"). `None` if a needed one is missing, or if the
    /// picture in the file is the HDR one.
    pub(crate) fn from_xmp(xmp: &[u8]) -> Option<Self> {
        if property(xmp, "BaseRenditionIsHDR").is_some_and(|value| value.contains("True")) {
            return None;
        }
        let values =
            ["GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR"].map(|name| numbers(xmp, name));
        let count = if values.iter().any(|values| values.len() >= 3) { 3 } else { 1 };
        let value = |property: usize, channel: usize, default: Option<f64>| {
            let values = &values[property];
            values.get(channel).or(values.first()).copied().or(default)
        };
        let channel = |index| {
            Some(Channel {
                minimum: value(0, index, Some(0.0))?,
                maximum: value(1, index, None)?,
                gamma: value(2, index, Some(1.0))?,
                base_offset: value(3, index, Some(1.0 / 64.0))?,
                alternate_offset: value(4, index, Some(1.0 / 64.0))?,
            })
        };
        let channels = (0..count).map(channel).collect::<Option<Vec<_>>>()?;
        let capacity = |name, default| numbers(xmp, name).first().copied().or(default);
        let headrooms = [capacity("HDRCapacityMin", Some(0.0))?, capacity("HDRCapacityMax", None)?];
        Self { headrooms, uses_base_colors: true, channels }.valid()
    }

    /// Of a map whose samples are the binary logarithm of the gain, as a share of `stops`.
    pub(crate) fn of_stops(stops: f64) -> Option<Self> {
        let channel =
            Channel { minimum: 0.0, maximum: stops, gamma: 1.0, base_offset: 0.0, alternate_offset: 0.0 };
        Self { headrooms: [0.0, stops], uses_base_colors: true, channels: vec![channel] }.valid()
    }

    /// Whether the map applies in the color space of the picture in the file; if not, in one that its own file names.
    pub(crate) fn uses_base_colors(&self) -> bool {
        self.uses_base_colors
    }

    fn valid(self) -> Option<Self> {
        let is_usable = |channel: &Channel| {
            let Channel { minimum, maximum, gamma, base_offset, alternate_offset } = *channel;
            let are_small = [minimum, maximum, gamma, base_offset, alternate_offset]
                .iter()
                .all(|value| value.abs() <= MAX);
            are_small && gamma >= STEP && minimum <= maximum
        };
        let [base, alternate] = self.headrooms;
        let differ = (0.0..=MAX).contains(&base)
            && (0.0..=MAX).contains(&alternate)
            && (base - alternate).abs() >= STEP;
        (differ && self.channels.iter().all(is_usable)).then_some(self)
    }

    /// The binary form.
    pub(crate) fn to_iso(&self) -> Vec<u8> {
        let multichannel = if self.channels.len() > 1 { IS_MULTICHANNEL } else { 0 };
        let colors = if self.uses_base_colors { USES_BASE_COLORS } else { 0 };
        // Both versions are 0.
        let mut out = vec![0, 0, 0, 0, multichannel | colors];
        let mut fraction = |value: f64| {
            let numerator = (value * f64::from(DENOMINATOR)).round() as i32;
            out.extend(numerator.to_be_bytes());
            out.extend(DENOMINATOR.to_be_bytes());
        };
        self.headrooms.iter().for_each(|headroom| fraction(*headroom));
        for &Channel { minimum, maximum, gamma, base_offset, alternate_offset } in &self.channels {
            [minimum, maximum, gamma, base_offset, alternate_offset].into_iter().for_each(&mut fraction);
        }
        out
    }
}

/// The numbers of a gain-map property: one of an attribute, or those in the elements of a list.
pub(crate) fn numbers(xmp: &[u8], name: &str) -> Vec<f64> {
    let number = |part: &str| part.trim_ascii().parse().ok().filter(|number: &f64| number.is_finite());
    let parts = property(xmp, name).unwrap_or_default().split(['"', '\'', '<', '>']);
    parts.filter_map(number).collect()
}

/// What stands behind the name of a gain-map property: of an attribute or of an element.
fn property<'a>(xmp: &'a [u8], name: &str) -> Option<&'a str> {
    spans(xmp)?.into_iter().find_map(|span| {
        let text = std::str::from_utf8(xmp.get(span)?).ok()?.trim_ascii();
        let end = text.find(|mark: char| mark.is_ascii_whitespace() || mark == '=' || mark == '>')?;
        let (found, rest) = text.split_at(end);
        (found.rsplit(':').next() == Some(name)).then_some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_form_is_read_back() {
        let channel = Channel {
            minimum: -0.5,
            maximum: 2.25,
            gamma: 1.5,
            base_offset: 1.0 / 64.0,
            alternate_offset: 0.125,
        };
        let other = Channel { maximum: 3.0, ..channel };
        for channels in [vec![channel], vec![channel, other, channel]] {
            let written = Parameters { headrooms: [0.0, 2.25], uses_base_colors: true, channels };
            let binary = written.to_iso();
            assert_eq!(Parameters::from_iso(&binary), Some(written));
            (0..binary.len()).for_each(|length| assert_eq!(Parameters::from_iso(&binary[..length]), None));
        }
    }

    #[test]
    fn a_common_denominator_is_read() {
        let numbers = [64_i32, 0, 128, -32, 128, 96, 1, 1].map(i32::to_be_bytes).concat();
        let read =
            Parameters::from_iso(&[&[0, 0, 0, 0, 0x48], numbers.as_slice()].concat()).expect("parameters");
        assert_eq!(
            (read.headrooms, read.channels[0].minimum, read.channels[0].gamma),
            ([0.0, 2.0], -0.5, 1.5)
        );
    }

    #[test]
    fn attributes_and_lists_of_xmp_are_read() {
        let packet = |properties: &str| {
            format!(
                "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' \
                 hdrgm:Version='1.0' hdrgm:HDRCapacityMax=\"2.5\" {properties}</rdf:Description></rdf:RDF></x:xmpmeta>"
            )
        };
        let read = |properties: &str| Parameters::from_xmp(packet(properties).as_bytes());
        let one = read("hdrgm:GainMapMin='-0.25' hdrgm:GainMapMax='2'>").expect("parameters");
        assert_eq!((one.headrooms, one.channels.len()), ([0.0, 2.5], 1));
        assert_eq!(
            (one.channels[0].minimum, one.channels[0].maximum, one.channels[0].base_offset),
            (-0.25, 2.0, 1.0 / 64.0)
        );
        let list = "<rdf:Seq><rdf:li>1</rdf:li> <rdf:li>2.5</rdf:li><rdf:li>3e0</rdf:li></rdf:Seq>";
        let three = read(&format!("hdrgm:Gamma='0.5'><hdrgm:GainMapMax>{list}</hdrgm:GainMapMax>"))
            .expect("parameters");
        assert_eq!(
            three.channels.iter().map(|channel| (channel.maximum, channel.gamma)).collect::<Vec<_>>(),
            [(1.0, 0.5), (2.5, 0.5), (3.0, 0.5)]
        );
        for damaged in [
            ">",
            "hdrgm:GainMapMax='a lot'>",
            "hdrgm:GainMapMax='2' hdrgm:Gamma='0'>",
            "hdrgm:GainMapMax='2' hdrgm:GainMapMin='3'>",
            "hdrgm:GainMapMax='inf'>",
            "hdrgm:GainMapMax='2' hdrgm:Gamma='1e-7'>",
            "hdrgm:GainMapMax='2'><hdrgm:BaseRenditionIsHDR>True</hdrgm:BaseRenditionIsHDR>",
            "hdrgm:GainMapMax='2' hdrgm:BaseRenditionIsHDR='True'>",
        ] {
            assert_eq!(read(damaged), None, "{damaged}");
        }
    }
}
