//! RLE8: a count and an index, or an escape and literal indices (Microsoft, "Bitmap Compression").

/// The longest run, and the maximum number of literals after an escape.
const MAX_COUNT: usize = 255;
/// Fewer literals would be read as another escape.
const MIN_LITERALS: usize = 3;
/// From this length on, a run is worth ending a series of literals.
const MIN_RUN: usize = 4;

const END_OF_ROW: [u8; 2] = [0, 0];
const END_OF_BITMAP: [u8; 2] = [0, 1];

/// Encodes rows of `width` indices.
pub(crate) fn encode(indices: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rows = indices.chunks_exact(width).peekable();
    while let Some(row) = rows.next() {
        encode_row(row, &mut out);
        out.extend(if rows.peek().is_some() { END_OF_ROW } else { END_OF_BITMAP });
    }
    out
}

fn encode_row(mut row: &[u8], out: &mut Vec<u8>) {
    while !row.is_empty() {
        let literals = literals(row);
        let count = if literals < MIN_LITERALS { run(row) } else { literals };
        let (taken, rest) = row.split_at(count);
        row = rest;
        if literals < MIN_LITERALS {
            out.extend([count as u8, taken[0]]);
        } else {
            out.extend([0, count as u8]);
            out.extend_from_slice(taken);
            out.resize(out.len() + count % 2, 0);
        }
    }
}

/// The number of indices before the next run that is worth its own code.
fn literals(row: &[u8]) -> usize {
    let mut count = 0;
    while count < row.len().min(MAX_COUNT) {
        let run = run(&row[count..]);
        if run >= MIN_RUN {
            break;
        }
        count += run;
    }
    count.min(MAX_COUNT)
}

/// The length of the run at the beginning, at most [`MAX_COUNT`].
fn run(row: &[u8]) -> usize {
    let equal = |index: &&u8| Some(*index) == row.first();
    row.iter().take(MAX_COUNT).take_while(equal).count()
}
