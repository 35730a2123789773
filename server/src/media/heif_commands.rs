//! The command lines of libheif's programs, and the parser of heif-info's output. File names are fixed and relative to the current
//! directory, so that no user text gets into a command line.

use filepress_wire::TaskErrorCode;

use super::Failure;
use super::sandbox::ChildOutput;

/// The brands of image sequences: of any codec, and of HEVC.
const SEQUENCE_BRANDS: [&str; 5] = ["msf1", "hevc", "hevx", "hevm", "hevs"];

/// heif-convert: decodes all images of a file. The extension of `output` is the format. More than 8 bits a channel become 16.
pub(super) fn heif_convert(input: &str, output: &str) -> Vec<String> {
    ["--quiet", input, output].map(str::to_owned).into()
}

/// heif-info: the sizes of all images.
pub(super) fn heif_info(input: &str) -> Vec<String> {
    vec![input.to_owned()]
}

/// The images of a file that are not parts of others, as heif-info lists them. heif-convert decodes them in the same order.
#[derive(Debug, PartialEq)]
pub(super) struct Images {
    /// Width and height as displayed.
    sizes: Vec<(u32, u32)>,
    /// The index of the one that represents the file.
    primary: usize,
}

impl Images {
    /// Parses the output: `image: 4032x3024 (id=49), primary`. Content types in metadata may contain fake lines; then heif-convert's
    /// output has another name.
    pub(super) fn read(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("image: ")).collect();
        let size = |line: &&str| {
            let (width, height) = line.split_whitespace().next()?.split_once('x')?;
            Some((width.parse().ok()?, height.parse().ok()?))
        };
        let sizes = lines.iter().map(size).collect::<Option<Vec<_>>>()?;
        let primary = lines.iter().position(|line| line.ends_with(", primary"))?;
        Some(Self { sizes, primary })
    }

    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The most pixels of one image.
    pub(super) fn max_pixels(&self) -> u64 {
        self.pixels().max().unwrap_or(0)
    }

    /// The pixels of all images together.
    pub(super) fn total_pixels(&self) -> u64 {
        self.pixels().fold(0, u64::saturating_add)
    }

    fn pixels(&self) -> impl Iterator<Item = u64> {
        self.sizes.iter().map(|(width, height)| u64::from(*width) * u64::from(*height))
    }

    /// The file that heif-convert writes the primary image to, if it was given the name `<stem>.png`.
    pub(super) fn primary_file(&self, stem: &str) -> String {
        match self.count() {
            1 => format!("{stem}.png"),
            _ => format!("{stem}-{}.png", self.primary + 1),
        }
    }
}

/// Whether heif-info's output names the brand of a sequence (ISO/IEC 23008-12) as the main one. Such a file needs no still image.
fn is_sequence(info: &[u8]) -> bool {
    let info = String::from_utf8_lossy(info);
    let brand = info.lines().find_map(|line| line.strip_prefix("main brand: ")).unwrap_or_default();
    SEQUENCE_BRANDS.contains(&brand.trim_end())
}

/// Maps the output of a program that failed, or wrote nothing, to an error.
pub(super) fn failure(finished: &ChildOutput) -> Failure {
    let says = |sign: &str| finished.stderr.contains(sign);
    tracing::debug!(end = ?finished.end, stderr = ?finished.stderr.trim(), "libheif failed");
    if says("No space left on device") {
        return Failure::Infrastructure("the disk is full".to_owned());
    }
    if says("emory") || says("bad_alloc") {
        return Failure::file(TaskErrorCode::TooMuchMemory, "The conversion exceeded its memory limit.");
    }
    if says("ecurity limit") {
        return Failure::file(TaskErrorCode::TooManyPixels, "The image exceeds a limit of its decoder.");
    }
    if is_sequence(&finished.stdout) {
        let detail = "This HEIC is a sequence without a still image, which is not supported.";
        return Failure::file(TaskErrorCode::UnsupportedFile, detail);
    }
    if says("Unsupported") {
        let detail = "This HEIC uses a feature that is not supported.";
        return Failure::file(TaskErrorCode::UnsupportedFile, detail);
    }
    Failure::file(TaskErrorCode::CorruptFile, "This HEIC is damaged or incomplete.")
}

#[cfg(test)]
mod tests {
    use super::Images;

    #[test]
    fn the_images_of_a_file_are_read_from_what_heif_info_prints() {
        let one = "MIME type: image/heic\n\nimage: 4032x3024 (id=49), primary\n  thumbnail: 320x240\n  alpha channel: no\n";
        let read = Images::read(one).unwrap();
        assert_eq!((read.count(), read.max_pixels()), (1, 4032 * 3024));
        assert_eq!(read.primary_file("decoded"), "decoded.png");
        let two = "image: 97x64 (id=2)\n  metadata:\nimage: 640x480 (id=4), primary\n";
        let read = Images::read(two).unwrap();
        assert_eq!((read.count(), read.max_pixels()), (2, 640 * 480));
        assert_eq!(read.total_pixels(), 97 * 64 + 640 * 480);
        assert_eq!(read.primary_file("decoded"), "decoded-2.png");
    }

    #[test]
    fn what_names_no_primary_image_is_refused() {
        for text in
            ["", "image: 97x64 (id=2)\n", "image: 97 (id=2), primary\n", "image: 97x-1 (id=2), primary\n"]
        {
            assert_eq!(Images::read(text), None, "{text}");
        }
    }
}
