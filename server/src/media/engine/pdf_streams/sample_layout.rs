//! The sample layout of an image (ISO 32000-1, 8.9.5).

use serde_json::Value;

use super::graph::{Graph, name};

/// The meaning of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SampleKind {
    Gray,
    Rgb,
    Cmyk,
    /// Palette indices, spot colors or stencil bits: values that must not be interpolated.
    Opaque,
}

/// The layout of an image.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampleLayout {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Bits per sample: 1, 2, 4, 8 or 16.
    pub(super) bits: u8,
    /// Samples per pixel.
    pub(super) channels: u8,
    pub(super) space: SampleKind,
}

impl SampleLayout {
    /// Reads an image dictionary; `None` if it is malformed or its color space is not supported.
    pub(super) fn read(graph: &Graph, image: &Value) -> Option<Self> {
        let side =
            |name: &str| u32::try_from(graph.member(image, name).as_u64()?).ok().filter(|side| *side > 0);
        let (width, height) = (side("/Width")?, side("/Height")?);
        if graph.member(image, "/ImageMask") == &Value::Bool(true) {
            return Some(Self { width, height, bits: 1, channels: 1, space: SampleKind::Opaque });
        }
        let bits = u8::try_from(graph.member(image, "/BitsPerComponent").as_u64()?).ok()?;
        let (space, channels) = space(graph, graph.member(image, "/ColorSpace"))?;
        [1, 2, 4, 8, 16].contains(&bits).then_some(Self { width, height, bits, channels, space })
    }

    /// Bytes per row.
    pub(super) fn stride(&self) -> u64 {
        (u64::from(self.width) * u64::from(self.channels) * u64::from(self.bits)).div_ceil(8)
    }

    /// Bytes of all rows.
    pub(super) fn size(&self) -> u64 {
        self.stride().saturating_mul(u64::from(self.height))
    }

    pub(super) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

fn space(graph: &Graph, space: &Value) -> Option<(SampleKind, u8)> {
    let items: Vec<&Value> = match space {
        Value::Array(items) => items.iter().map(|item| graph.resolve(item)).collect(),
        other => vec![other],
    };
    Some(match (name(items.first()?)?, items.get(1)) {
        ("DeviceGray" | "CalGray", _) => (SampleKind::Gray, 1),
        ("DeviceRGB" | "CalRGB", _) => (SampleKind::Rgb, 3),
        ("DeviceCMYK", _) => (SampleKind::Cmyk, 4),
        ("ICCBased", Some(profile)) => {
            let is_lab = graph.member(profile, "/Alternate").get(0).and_then(name) == Some("Lab");
            match graph.member(profile, "/N").as_u64()? {
                3 if is_lab => (SampleKind::Opaque, 3),
                1 => (SampleKind::Gray, 1),
                3 => (SampleKind::Rgb, 3),
                4 => (SampleKind::Cmyk, 4),
                _ => return None,
            }
        }
        ("Lab", _) => (SampleKind::Opaque, 3),
        ("Indexed" | "Separation", _) => (SampleKind::Opaque, 1),
        ("DeviceN", Some(inks)) => (SampleKind::Opaque, u8::try_from(inks.as_array()?.len()).ok()?),
        _ => return None,
    })
}
