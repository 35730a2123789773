//! Decodes stream filters (ISO 32000-1, 7.4) with a limit on the output. A stream with damaged data stays unchanged.

use std::io::Read;

use flate2::read::ZlibDecoder;
use serde_json::Value;
use weezl::{BitOrder, LzwStatus, decode::Decoder};

use super::graph::{Graph, name};
use super::predictor;

/// The maximum number of filters of a stream.
const MAX_FILTERS: usize = 8;

/// A decoded stream.
pub(super) enum Decoded {
    /// The decoded bytes.
    Plain(Vec<u8>),
    /// A JPEG: the last filter is DCTDecode.
    Jpeg(Vec<u8>),
}

/// Decodes a stream. `None` if a filter or its parameters are not supported, or the output has more than `most` bytes.
pub(super) fn decode(graph: &Graph, dictionary: &Value, data: Vec<u8>, most: u64) -> Option<Decoded> {
    // The data is in another file.
    if dictionary.get("/F").is_some() {
        return None;
    }
    let filters = list(graph, graph.member(dictionary, "/Filter"));
    let parameters = list(graph, graph.member(dictionary, "/DecodeParms"));
    if filters.len() > MAX_FILTERS {
        return None;
    }
    let mut data = data;
    for (index, filter) in filters.iter().enumerate() {
        let parameters = parameters.get(index).copied().unwrap_or(&Value::Null);
        data = match name(filter)? {
            "FlateDecode" | "Fl" => predictor::undo(graph, parameters, inflate(&data, most)?)?,
            "LZWDecode" | "LZW" => {
                let early = graph.member(parameters, "/EarlyChange").as_i64() != Some(0);
                predictor::undo(graph, parameters, unpack_lzw(&data, early, most)?)?
            }
            "RunLengthDecode" | "RL" => run_lengths(&data, most)?,
            "ASCII85Decode" | "A85" => ascii85(&data)?,
            "ASCIIHexDecode" | "AHx" => ascii_hex(&data)?,
            "DCTDecode" | "DCT" if index + 1 == filters.len() && parameters.is_null() => {
                return Some(Decoded::Jpeg(data));
            }
            _ => return None,
        };
    }
    (data.len() as u64 <= most).then_some(Decoded::Plain(data))
}

/// A value, or the values of an array, resolved.
fn list<'a>(graph: &'a Graph, value: &'a Value) -> Vec<&'a Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().map(|item| graph.resolve(item)).collect(),
        other => vec![other],
    }
}

fn inflate(data: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    ZlibDecoder::new(data).take(most.saturating_add(1)).read_to_end(&mut out).ok()?;
    (out.len() as u64 <= most).then_some(out)
}

fn unpack_lzw(data: &[u8], early: bool, most: u64) -> Option<Vec<u8>> {
    let mut decoder = match early {
        true => Decoder::with_tiff_size_switch(BitOrder::Msb, 8),
        false => Decoder::new(BitOrder::Msb, 8),
    };
    let mut out = Vec::new();
    let mut buffer = [0; 1 << 14];
    let mut rest = data;
    loop {
        let step = decoder.decode_bytes(rest, &mut buffer);
        rest = rest.get(step.consumed_in..)?;
        out.extend_from_slice(buffer.get(..step.consumed_out)?);
        match step.status {
            Ok(LzwStatus::Done) => return Some(out),
            Ok(LzwStatus::Ok) if out.len() as u64 <= most => {}
            _ => return None,
        }
    }
}

fn run_lengths(data: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = data;
    while let [length, after @ ..] = rest {
        let length = usize::from(*length);
        rest = match length {
            128 => break,
            0..128 => {
                out.extend_from_slice(after.get(..=length)?);
                after.get(length + 1..)?
            }
            _ => {
                out.resize(out.len() + 257 - length, *after.first()?);
                after.get(1..)?
            }
        };
        if out.len() as u64 > most {
            return None;
        }
    }
    Some(out)
}

fn ascii85(data: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(data.len() / 5 * 4);
    let mut group = Vec::with_capacity(5);
    for &byte in data {
        match byte {
            b'~' => break,
            b'z' if group.is_empty() => out.extend([0; 4]),
            b'!'..=b'u' => group.push(byte - b'!'),
            0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ' => {}
            _ => return None,
        }
        if group.len() == 5 {
            out.extend(base85(&group)?);
            group.clear();
        }
    }
    match group.len() {
        0 => Some(out),
        1 => None,
        length => {
            group.resize(5, 84);
            out.extend_from_slice(base85(&group)?.get(..length - 1)?);
            Some(out)
        }
    }
}

fn base85(digits: &[u8]) -> Option<[u8; 4]> {
    let number = digits.iter().fold(0_u64, |sum, digit| sum * 85 + u64::from(*digit));
    Some(u32::try_from(number).ok()?.to_be_bytes())
}

fn ascii_hex(data: &[u8]) -> Option<Vec<u8>> {
    let end = data.iter().position(|byte| *byte == b'>').unwrap_or(data.len());
    let digits = data.get(..end)?.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0);
    let digits: Vec<u8> =
        digits.map(|byte| char::from(*byte).to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect())
}
