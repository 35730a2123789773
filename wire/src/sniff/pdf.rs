//! PDF (ISO 32000-2 §7.5.2).

use super::Sniffed;
use crate::media_type::MediaType::Pdf;

/// Readers look for the header in so many bytes.
const HEADER_WITHIN: usize = 1024;

/// Only blanks and a byte order mark may go before the header: scripts leave them there, and what else could stand there
/// makes it another type.
pub(crate) fn parse(head: &[u8]) -> Option<Sniffed> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let blank = head.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    (blank < HEADER_WITHIN && head[blank..].starts_with(b"%PDF-")).then_some(Sniffed::Known(Pdf))
}
