//! RIFF: WebP (RFC 9649 §2.4), WAVE and AVI; RF64 and BW64 are WAVE beyond 4 GiB (EBU Tech 3306).

use super::bytes::array;
use super::{Sniffed, unsupported};
use crate::media_type::MediaType::{Avi, Wav, Webp};

pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    let container: [u8; 4] = array(head, 0)?;
    let form: [u8; 4] = array(head, 8)?;
    match (&container, &form) {
        (b"RIFF", b"WEBP") => Some(Sniffed::Known(Webp)),
        (b"RIFF" | b"RF64" | b"BW64", b"WAVE") => Some(Sniffed::Known(Wav)),
        (b"RIFF", b"AVI ") => Some(Sniffed::Known(Avi)),
        (b"RIFF", b"ACON") => Some(unsupported("Windows animated cursor", "application/x-navi-animation")),
        (b"RIFF", b"RMID") => Some(unsupported("MIDI", "audio/midi")),
        (b"RIFF", b"CDXA") => Some(unsupported("Video CD track", "video/x-vcd")),
        (b"RIFF", _) => Some(unsupported("RIFF file of an unknown kind", "application/x-riff")),
        _ => None,
    }
}
