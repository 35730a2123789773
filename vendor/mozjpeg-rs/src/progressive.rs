//! The scan of a sequential JPEG. Those of progressive ones are found by `encode/optimized/search.rs`.

use crate::types::ScanInfo;

/// Generate a baseline (non-progressive) scan script.
///
/// This generates a single scan containing all components and all coefficients.
///
/// # Arguments
/// * `num_components` - Number of color components
///
/// # Returns
/// Vector with a single ScanInfo for baseline encoding.
pub fn generate_baseline_scan(num_components: u8) -> Vec<ScanInfo> {
    vec![ScanInfo {
        comps_in_scan: num_components,
        component_index: [0, 1, 2, 3],
        ss: 0,
        se: 63,
        ah: 0,
        al: 0,
    }]
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_baseline_scan() {
        let scans = generate_baseline_scan(3);
        assert_eq!(scans.len(), 1);

        let scan = &scans[0];
        assert_eq!(scan.ss, 0);
        assert_eq!(scan.se, 63);
        assert_eq!(scan.ah, 0);
        assert_eq!(scan.al, 0);
    }
}
