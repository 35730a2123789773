//! Bitstreams of Debian's encoders, with random options.

use super::content::{Chroma, Content, Source};
use super::film_grain;
use super::programs::{Folder, run};
use super::random::Random;

/// A temporal delimiter, with which dav1d wants a bitstream to begin.
const TEMPORAL_DELIMITER: [u8; 2] = [0x12, 0x00];

/// A bitstream in the low-overhead format, and how it was made.
pub(super) struct Encoded {
    pub(super) obus: Vec<u8>,
    pub(super) description: String,
}

impl Encoded {
    /// None if the encoder refuses the picture or the options.
    pub(super) fn new(random: &mut Random, folder: &Folder, source: &Source) -> Option<Self> {
        let input = folder.write("source.y4m", &source.y4m());
        // These two encode 4:2:0 of 8 and 10 bits, from 64 pixels on.
        let others =
            source.chroma == Chroma::C420 && source.bit_depth < 12 && source.width.min(source.height) >= 64;
        if others && random.once_in(4) {
            let codec = random.pick(&["svt", "rav1e"]);
            return Self::by_avifenc(random, folder, &input, codec);
        }
        if source.chroma != Chroma::Mono && random.once_in(8) {
            return Self::by_avifenc(random, folder, &input, "aom");
        }
        Self::by_aomenc(random, folder, &input, source)
    }

    pub(super) fn is_upscaled(&self) -> bool {
        self.description.contains("--superres-mode")
    }

    fn by_avifenc(random: &mut Random, folder: &Folder, input: &str, codec: &str) -> Option<Self> {
        let least = random.below(60);
        let mut options = Vec::new();
        let pairs = [
            ("-c", codec.to_owned()),
            ("-s", random.pick(&["6", "8", "9", "10"]).to_owned()),
            ("--min", least.to_string()),
            ("--max", (least + random.below(64 - least)).to_string()),
            ("--tilerowslog2", random.below(3).to_string()),
            ("--tilecolslog2", random.below(3).to_string()),
        ];
        options.extend(pairs.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
        let description = format!("avifenc {}", options.join(" "));
        options.extend([input.to_owned(), folder.path("still.avif")]);
        run("avifenc", &options).then_some(())?;
        let file = folder.take("still.avif")?;
        let obus = [&TEMPORAL_DELIMITER, media_data(&file)?].concat();
        Some(Self { obus, description })
    }

    fn by_aomenc(random: &mut Random, folder: &Folder, input: &str, source: &Source) -> Option<Self> {
        let mut options = aomenc_options(random, folder, source);
        let description = format!("aomenc {}", options.join(" "));
        options.extend(["-o".into(), folder.path("still.obu"), input.to_owned()]);
        run("aomenc", &options).then_some(())?;
        Some(Self { obus: folder.take("still.obu")?, description })
    }
}

/// The content of the `mdat` box: the one item of a file without metadata.
fn media_data(file: &[u8]) -> Option<&[u8]> {
    let mut rest = file;
    loop {
        let (length, name) = (rest.get(..4)?, rest.get(4..8)?);
        let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
        if name == b"mdat" {
            return rest.get(8..length);
        }
        rest = rest.get(length.max(8)..)?;
    }
}

fn aomenc_options(random: &mut Random, folder: &Folder, source: &Source) -> Vec<String> {
    let profile = match (source.chroma, source.bit_depth) {
        (Chroma::C422, _) | (_, 12) => 2,
        (Chroma::C444, _) => 1,
        _ => 0,
    };
    let all_intra = !random.once_in(3);
    // Only a thorough search finds long transforms, and those types that only copied blocks have.
    let (speed, level) = match source.content {
        Content::Striped => (0, 40 + random.below(24)),
        Content::Repeated => (random.pick(&[1, 2, 3]), random.below(40)),
        _ if all_intra => (random.pick(&[3, 5, 6, 7, 8, 9]), random.below(64)),
        _ => (random.pick(&[1, 2, 3, 4, 6]), random.below(64)),
    };
    let mut options = vec![
        "--obu".to_owned(),
        "--limit=1".to_owned(),
        "--threads=1".to_owned(),
        format!("--profile={profile}"),
        format!("--bit-depth={}", source.bit_depth),
        format!("--input-bit-depth={}", source.bit_depth),
        format!("--usage={}", if all_intra { 2 } else { 0 }),
        format!("--cpu-used={speed}"),
        "--end-usage=q".to_owned(),
        format!("--cq-level={level}"),
    ];
    if source.chroma == Chroma::Mono {
        options.push("--monochrome".into());
    }
    if matches!(source.content, Content::Drawn | Content::Repeated) {
        options.push("--tune-content=screen".into());
        // Where there are no palettes, more is copied.
        let palette = source.content == Content::Drawn && random.once_in(2);
        options.push(format!("--enable-palette={}", u8::from(palette)));
    }
    let lossless = random.once_in(12);
    options.push(format!("--lossless={}", u8::from(lossless)));
    let superres = random.once_in(5) && !lossless;
    if superres {
        scale(random, &mut options);
    }
    if random.once_in(8) {
        options.push(format!("--film-grain-test={}", 1 + random.below(16)));
    } else if random.once_in(4) {
        let table = folder.write("grain.tbl", film_grain::table(random, source).as_bytes());
        options.push(format!("--film-grain-table={table}"));
    }
    quantization(random, lossless, &mut options);
    structure(random, superres, &mut options);
    switches(random, &mut options);
    options
}

fn scale(random: &mut Random, options: &mut Vec<String>) {
    let denominator = 8 + random.below(9);
    options.push("--superres-mode=1".into());
    options.push(format!("--superres-denominator={denominator}"));
    options.push(format!("--superres-kf-denominator={denominator}"));
}

fn quantization(random: &mut Random, lossless: bool, options: &mut Vec<String>) {
    if random.once_in(3) {
        let least = random.pick(&[0, 1, 1]) * random.below(16);
        options.push("--enable-qm=1".into());
        options.push(format!("--qm-min={least}"));
        options.push(format!("--qm-max={}", least + random.below(16 - least)));
    }
    if random.once_in(3) {
        options.push(format!("--aq-mode={}", random.below(4)));
    }
    if random.once_in(3) {
        options.push(format!("--deltaq-mode={}", random.pick(&[1, 3, 4])));
        options.push(format!("--delta-lf-mode={}", random.below(2)));
    }
    options.push(format!("--enable-chroma-deltaq={}", u8::from(!lossless && random.once_in(2))));
    options.push(format!("--sharpness={}", random.below(8)));
    options.push(format!("--cdf-update-mode={}", random.below(3)));
}

/// Columns of tiles would be too narrow for aomenc in a frame that is coded narrower.
fn structure(random: &mut Random, superres: bool, options: &mut Vec<String>) {
    options.push(format!("--sb-size={}", random.pick(&["dynamic", "64", "128"])));
    options.push(format!("--tile-columns={}", if superres { 0 } else { random.pick(&[0, 0, 1, 2]) }));
    options.push(format!("--tile-rows={}", random.pick(&[0, 0, 1, 2])));
    options.push(format!("--num-tile-groups={}", random.pick(&[1, 1, 2, 4])));
    if random.once_in(4) {
        options.push("--full-still-picture-hdr".into());
    }
    if random.once_in(6) {
        options.push("--error-resilient=1".into());
    }
    if random.once_in(6) {
        options.push(format!("--max-partition-size={}", random.pick(&[8, 16, 32, 64])));
    }
}

/// Tools that are on by default, some of which are turned off.
fn switches(random: &mut Random, options: &mut Vec<String>) {
    const SWITCHES: [&str; 18] = [
        "cdef",
        "restoration",
        "rect-partitions",
        "ab-partitions",
        "1to4-partitions",
        "intra-edge-filter",
        "tx64",
        "flip-idtx",
        "rect-tx",
        "filter-intra",
        "smooth-intra",
        "paeth-intra",
        "cfl-intra",
        "diagonal-intra",
        "intrabc",
        "angle-delta",
        "directional-intra",
        "order-hint",
    ];
    for switch in SWITCHES {
        if random.once_in(12) {
            options.push(format!("--enable-{switch}=0"));
        }
    }
    for name in ["reduced-tx-type-set", "use-intra-dct-only"] {
        if random.once_in(15) {
            options.push(format!("--{name}=1"));
        }
    }
}
