//! How hard rav1e tries. Measured on a photo of 0.4 megapixels at equal SSIMULACRA2, with the time of effort 4 as 1.

use rav1e::config::SpeedSettings;
use rav1e::prelude::{BlockSize, PartitionRange, PredictionModesSetting, SceneDetectionSpeed};

/// The settings for an effort of 0 to 9.
pub(super) fn settings(effort: u8) -> SpeedSettings {
    use BlockSize::{BLOCK_4X4, BLOCK_8X8, BLOCK_16X16, BLOCK_32X32, BLOCK_64X64};
    let (preset, smallest, largest) = match effort {
        0 => (9, BLOCK_16X16, BLOCK_16X16),
        1 => (9, BLOCK_16X16, BLOCK_32X32),
        2 => (8, BLOCK_8X8, BLOCK_16X16),
        3..=5 => (8, BLOCK_8X8, BLOCK_32X32),
        6 => (4, BLOCK_8X8, BLOCK_16X16),
        7 => (4, BLOCK_8X8, BLOCK_32X32),
        8 => (3, BLOCK_8X8, BLOCK_64X64),
        _ => (2, BLOCK_4X4, BLOCK_64X64),
    };
    let mut settings = SpeedSettings::from_preset(preset);
    settings.partition.partition_range = PartitionRange::new(smallest, largest);
    settings.cdef = effort >= 4;
    settings.prediction.fine_directional_intra = effort >= 5;
    if effort < 9 {
        settings.prediction.prediction_modes = PredictionModesSetting::Simple;
    }
    // There is one picture: nothing to look ahead to, and no scenes.
    settings.multiref = false;
    settings.rdo_lookahead_frames = 1;
    settings.scene_detection_mode = SceneDetectionSpeed::None;
    settings
}
