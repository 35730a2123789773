//! The tools of the format that the stills have to use.

use std::collections::BTreeMap;

type Counts = BTreeMap<(&'static str, usize), u64>;

/// Each counter, with the variants that have to occur.
const WANTED: &[(&str, &[usize])] = &[
    ("intra_mode", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    ("angle_delta", &[0, 1, 2, 3, 4, 5, 6]),
    ("filter_intra", &[0, 1, 2, 3, 4]),
    ("edge_filter", &[0, 1, 2, 3]),
    ("edge_upsample", &[0, 1]),
    // 4:4:4, 4:2:2 and 4:2:0.
    ("cfl", &[0, 2, 3]),
    ("palette_colors", &[2, 3, 4, 5, 6, 7, 8]),
    // Whole samples, and half samples across, down and both.
    ("intra_block_copy", &[0, 1, 2, 3]),
    ("tx_size", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]),
    ("tx_type", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
    ("lossless", &[8, 10, 12]),
    ("quantizer_matrix", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
    ("deblock", &[2, 3, 4, 7]),
    // Primary taps, secondary taps, and both.
    ("cdef", &[1, 2, 3]),
    // Wiener, and the self-guided filter with the first version, the second, and both.
    ("restoration", &[0, 1, 2, 3]),
    ("superres", &[9, 10, 11, 12, 13, 14, 15, 16]),
    // Luma, chroma by its own points, chroma by luma, overlap, the restricted range.
    ("film_grain", &[0, 1, 2, 3, 4]),
    ("film_grain_lag", &[0, 1, 2, 3]),
];

/// Prints how often each variant occurred.
pub(super) fn report(used: &Counts) {
    for &(name, _) in WANTED {
        let variants: Vec<String> = used
            .iter()
            .filter(|((counted, _), _)| *counted == name)
            .map(|((_, variant), times)| format!("{variant}: {times}"))
            .collect();
        eprintln!("{name}: {}", variants.join(", "));
    }
}

/// The variants that did not occur.
pub(super) fn missing(used: &Counts) -> Vec<(&'static str, usize)> {
    let wanted =
        WANTED.iter().flat_map(|&(name, variants)| variants.iter().map(move |&variant| (name, variant)));
    wanted.filter(|branch| !used.contains_key(branch)).collect()
}
