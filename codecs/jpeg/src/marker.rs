//! Marker codes (T.81, table B.1): the byte after `FF`.

pub(crate) const SOF0: u8 = 0xC0;
pub(crate) const SOF15: u8 = 0xCF;
pub(crate) const DHT: u8 = 0xC4;
pub(crate) const JPG: u8 = 0xC8;
pub(crate) const DAC: u8 = 0xCC;
pub(crate) const RST0: u8 = 0xD0;
pub(crate) const RST7: u8 = 0xD7;
pub(crate) const SOI: u8 = 0xD8;
pub(crate) const EOI: u8 = 0xD9;
pub(crate) const SOS: u8 = 0xDA;
pub(crate) const DQT: u8 = 0xDB;
pub(crate) const DNL: u8 = 0xDC;
pub(crate) const DRI: u8 = 0xDD;
pub(crate) const APP0: u8 = 0xE0;
pub(crate) const APP14: u8 = 0xEE;
pub(crate) const TEM: u8 = 0x01;

/// Whether the marker starts a frame: `SOF0` to `SOF15` without the three that share their range.
pub(crate) const fn is_sof(marker: u8) -> bool {
    matches!(marker, SOF0..=SOF15) && !matches!(marker, DHT | JPG | DAC)
}

/// Whether the marker stands alone, without a length and parameters (B.1.1.3).
pub(crate) const fn is_standalone(marker: u8) -> bool {
    matches!(marker, RST0..=EOI | TEM)
}
