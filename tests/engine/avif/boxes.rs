//! Builds AVIF files from pictures encoded by rav1e, with structures that other programs write and the engine does
//! not.

use std::rc::Rc;

use rav1e::prelude::*;
use rav1e::{Config, config::SpeedSettings};

/// How a picture is coded.
#[derive(Clone, Copy)]
pub(super) struct Coding {
    pub(super) depth: usize,
    pub(super) sampling: ChromaSampling,
    pub(super) full_range: bool,
    pub(super) matrix: MatrixCoefficients,
}

/// Full range, BT.601, 4:4:4, 8 bits.
pub(super) const PLAIN: Coding =
    Coding { depth: 8, sampling: ChromaSampling::Cs444, full_range: true, matrix: MatrixCoefficients::BT601 };

/// An AV1 picture and its `av1C`; the quantizer decides how exact it is.
pub(super) struct Coded {
    pub(super) data: Vec<u8>,
    pub(super) configuration: Vec<u8>,
    pub(super) size: (u32, u32),
}

/// Codes a picture; `(x, y)` of `color` are pixels.
pub(super) fn code(
    size: (u32, u32),
    coding: &Coding,
    quantizer: u8,
    color: &dyn Fn(u32, u32) -> [f64; 3],
) -> Coded {
    match coding.depth {
        8 => code_as::<u8>(size, coding, quantizer, color),
        _ => code_as::<u16>(size, coding, quantizer, color),
    }
}

fn code_as<T: Pixel>(
    (width, height): (u32, u32),
    coding: &Coding,
    quantizer: u8,
    color: &dyn Fn(u32, u32) -> [f64; 3],
) -> Coded {
    let mut speed_settings = SpeedSettings::from_preset(10);
    speed_settings.rdo_lookahead_frames = 1;
    let configuration = EncoderConfig {
        width: width as usize,
        height: height as usize,
        bit_depth: coding.depth,
        chroma_sampling: coding.sampling,
        pixel_range: if coding.full_range { PixelRange::Full } else { PixelRange::Limited },
        color_description: Some(ColorDescription {
            color_primaries: ColorPrimaries::BT709,
            transfer_characteristics: TransferCharacteristics::SRGB,
            matrix_coefficients: coding.matrix,
        }),
        still_picture: true,
        quantizer: quantizer.into(),
        min_quantizer: quantizer,
        speed_settings,
        ..EncoderConfig::default()
    };
    let mut context: Context<T> =
        Config::new().with_encoder_config(configuration).with_threads(1).new_context().expect("a coding");
    let mut frame = context.new_frame();
    let halves = |half: bool| if half { 2 } else { 1 };
    for (channel, plane) in frame.planes.iter_mut().enumerate() {
        let is_chroma = channel > 0;
        if is_chroma && coding.sampling == ChromaSampling::Cs400 {
            break;
        }
        let across = halves(is_chroma && coding.sampling != ChromaSampling::Cs444);
        let down = halves(is_chroma && coding.sampling == ChromaSampling::Cs420);
        let mut plane = plane.mut_slice(Default::default());
        for (row, out) in plane.rows_iter_mut().take(height.div_ceil(down) as usize).enumerate() {
            for (column, out) in out.iter_mut().take(width.div_ceil(across) as usize).enumerate() {
                let mut sum = 0.0;
                for (x, y) in (0..across).flat_map(|x| (0..down).map(move |y| (x, y))) {
                    let x = (column as u32 * across + x).min(width - 1);
                    let y = (row as u32 * down + y).min(height - 1);
                    sum += sample(coding, channel, color(x, y));
                }
                *out = T::cast_from((sum / f64::from(across * down)).round() as u16);
            }
        }
    }
    context.send_frame(frame).expect("a frame");
    context.flush();
    let mut data = Vec::new();
    loop {
        match context.receive_packet() {
            Ok(packet) => data.extend(packet.data),
            Err(EncoderStatus::Encoded) => {}
            Err(_) => break,
        }
    }
    Coded { data, configuration: context.container_sequence_header(), size: (width, height) }
}

/// One number of a pixel as it is coded: ITU-T H.273, 8.3.
fn sample(coding: &Coding, channel: usize, [red, green, blue]: [f64; 3]) -> f64 {
    let step = f64::from(1u32 << (coding.depth - 8));
    let top = f64::from((1u32 << coding.depth) - 1);
    let luma = |value: f64| if coding.full_range { value * top } else { (16.0 + 219.0 * value) * step };
    let (kr, kb) = match coding.matrix {
        MatrixCoefficients::Identity => return luma([green, blue, red][channel]),
        MatrixCoefficients::BT709 => (0.2126, 0.0722),
        MatrixCoefficients::BT2020NCL => (0.2627, 0.0593),
        _ => (0.299, 0.114),
    };
    let y = kr * red + (1.0 - kr - kb) * green + kb * blue;
    let difference = match channel {
        0 => return luma(y),
        1 => (blue - y) / (2.0 * (1.0 - kb)),
        _ => (red - y) / (2.0 * (1.0 - kr)),
    };
    let reach = if coding.full_range { top } else { 224.0 * step };
    (128.0 * step + difference * reach).clamp(0.0, top)
}

/// A box.
pub(super) fn part(kind: &[u8; 4], contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    [&(contents.len() as u32 + 8).to_be_bytes(), kind.as_slice(), &contents].concat()
}

/// An item: its kind, the rest of its `infe`, its data, and its properties, essential or not.
pub(super) struct Item {
    pub(super) kind: [u8; 4],
    pub(super) info: Vec<u8>,
    pub(super) data: Vec<u8>,
    pub(super) properties: Vec<(Rc<[u8]>, bool)>,
    /// It lies in `idat`.
    pub(super) inline: bool,
}

impl Item {
    pub(super) fn new(kind: &[u8; 4], data: &[u8]) -> Self {
        Self { kind: *kind, info: b"\0".to_vec(), data: data.to_vec(), properties: Vec::new(), inline: false }
    }

    /// An AV1 picture with its size and its configuration.
    pub(super) fn coded(coded: &Coded) -> Self {
        let (width, height) = coded.size;
        Self::new(b"av01", &coded.data)
            .with(part(b"ispe", &[&[0; 4], &width.to_be_bytes(), &height.to_be_bytes()]), false)
            .with(part(b"av1C", &[&coded.configuration]), true)
    }

    pub(super) fn with(mut self, property: impl Into<Rc<[u8]>>, essential: bool) -> Self {
        self.properties.push((property.into(), essential));
        self
    }

    /// Marks it as an alpha channel.
    pub(super) fn alpha(self) -> Self {
        self.with(part(b"auxC", &[&[0; 4], b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"]), false)
    }
}

/// A file whose items have the ids 1, 2, …, of which the first is shown; `more` stands between `meta` and `mdat`.
pub(super) fn file(items: &[Item], references: &[(&[u8; 4], u16, &[u16])], more: &[u8]) -> Vec<u8> {
    let brands = part(b"ftyp", &[b"avif\0\0\0\0avifmif1miaf"]);
    let start = brands.len() + meta(items, references, 0).len() + more.len() + 8;
    let data: Vec<u8> = items.iter().filter(|item| !item.inline).flat_map(|item| item.data.clone()).collect();
    [brands, meta(items, references, start as u32), more.to_vec(), part(b"mdat", &[&data])].concat()
}

/// In other versions and lengths of its boxes than this program writes.
fn meta(items: &[Item], references: &[(&[u8; 4], u16, &[u16])], start: u32) -> Vec<u8> {
    let (mut infos, mut places, mut associations) = (Vec::new(), Vec::new(), Vec::new());
    let (mut properties, mut at, mut inline) = (Vec::<&Rc<[u8]>>::new(), start, Vec::new());
    for (id, item) in (1u16..).zip(items) {
        infos.extend(part(b"infe", &[&[2, 0, 0, 0], &id.to_be_bytes(), &[0; 2], &item.kind, &item.info]));
        places.extend(id.to_be_bytes());
        places.extend([0, u8::from(item.inline), 0, 0]);
        let offset = if item.inline { inline.len() as u32 } else { at };
        // A base of 8 bytes, two extents of 4 each.
        places.extend(u64::from(offset).to_be_bytes());
        places.extend([0, 2]);
        let (first, second) = ((item.data.len() / 2) as u32, item.data.len().div_ceil(2) as u32);
        places.extend([0, first, first, second].map(u32::to_be_bytes).concat());
        match item.inline {
            true => inline.extend_from_slice(&item.data),
            false => at += item.data.len() as u32,
        }
        associations.extend(id.to_be_bytes());
        associations.push(item.properties.len() as u8);
        for (property, essential) in &item.properties {
            let known = properties.iter().position(|known| Rc::ptr_eq(known, property));
            let number = known.unwrap_or(properties.len()) as u16 + 1;
            if known.is_none() {
                properties.push(property);
            }
            associations.extend((number | u16::from(*essential) << 15).to_be_bytes());
        }
    }
    let entries = references.iter().map(|(kind, from, to)| {
        let to_ids: Vec<u8> = to.iter().flat_map(|id| id.to_be_bytes()).collect();
        part(kind, &[&from.to_be_bytes(), &(to.len() as u16).to_be_bytes(), &to_ids])
    });
    let references: Vec<u8> = entries.flatten().collect();
    let number = (items.len() as u16).to_be_bytes();
    part(
        b"meta",
        &[
            &[0; 4],
            &part(b"hdlr", &[&[0; 8], b"pict", &[0; 12], b"a name\0"]),
            &part(b"pitm", &[&[0; 4], &[0, 1]]),
            &part(b"iloc", &[&[1, 0, 0, 0], &[0x44, 0x80], &number, &places]),
            &part(b"iinf", &[&[0; 4], &number, &infos]),
            &part(b"iref", &[&[0; 4], &references]),
            &part(
                b"iprp",
                &[
                    &part(b"ipco", &properties.iter().map(|property| &***property).collect::<Vec<_>>()),
                    &part(b"ipma", &[&[0, 0, 0, 1], &(items.len() as u32).to_be_bytes(), &associations]),
                ],
            ),
            &part(b"idat", &[&inline]),
        ],
    )
}
