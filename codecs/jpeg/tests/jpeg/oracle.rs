//! Files by cjpeg and pixels by djpeg, with random pictures.

use std::io::Write;
use std::process::{Command, Stdio};

use filepress_jpeg::{DecodeOptions, Decoder, Error};

/// Rows of gray or RGB.
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) samples: usize,
    pub(super) rows: Vec<u8>,
}

impl Pixels {
    pub(super) fn row(&self, y: usize) -> &[u8] {
        &self.rows[y * self.width * self.samples..][..self.width * self.samples]
    }
}

/// xorshift64*.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(own: u64) -> Self {
        Self(crate::seed::seed(own) | 1 << 40)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// How many of `whole` cases a run makes: a tenth, or the share that `FILEPRESS_SCALE` says.
#[allow(clippy::disallowed_methods, reason = "a test runs natively")]
pub(super) fn scaled(whole: usize) -> usize {
    let share = std::env::var("FILEPRESS_SCALE").ok().map_or(0.1, |text| text.parse().unwrap());
    ((whole as f64 * share) as usize).max(1)
}

/// A PPM of soft gradients, edges and some noise.
pub(super) fn picture(random: &mut Random, width: usize, height: usize) -> Vec<u8> {
    let mut ppm = format!("P6\n{width} {height}\n255\n").into_bytes();
    let slopes: [usize; 6] = std::array::from_fn(|_| random.below(7));
    let (edge, noise) = (1 + random.below(width), 1 + random.below(60));
    for y in 0..height {
        for x in 0..width {
            for c in 0..3 {
                let soft = x * slopes[c] + y * slopes[c + 3] + if x / edge % 2 == 1 { 90 } else { 0 };
                let triangle = (soft % 400).min(400 - soft % 400);
                ppm.push((triangle + random.below(noise)).min(255) as u8);
            }
        }
    }
    ppm
}

fn run(program: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}, which setup.sh installs: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // It may stop reading at what is broken.
        scope.spawn(move || stdin.write_all(input).ok());
        child.wait_with_output().unwrap().stdout
    })
}

/// A JPEG of a PPM. Empty if cjpeg refuses the arguments.
pub(super) fn cjpeg(arguments: &[&str], ppm: &[u8]) -> Vec<u8> {
    run("cjpeg", arguments, ppm)
}

/// A JPEG of a PPM by ImageMagick.
pub(super) fn magick(ppm: &[u8], arguments: &[&str]) -> Vec<u8> {
    run("convert", &[&["ppm:-"], arguments, &["jpeg:-"]].concat(), ppm)
}

/// A JPEG of a PPM by ffmpeg, in one of its pixel formats.
pub(super) fn ffmpeg(ppm: &[u8], format: &str) -> Vec<u8> {
    let input = ["-loglevel", "error", "-f", "image2pipe", "-c:v", "ppm", "-i", "-"];
    run(
        "ffmpeg",
        &[&input[..], &["-pix_fmt", format, "-c:v", "mjpeg", "-f", "image2pipe", "-"]].concat(),
        ppm,
    )
}

/// What djpeg makes of a JPEG. None if it shows nothing.
pub(super) fn djpeg(eighths: u8, jpeg: &[u8]) -> Option<Pixels> {
    let pnm = run("djpeg", &["-pnm", "-scale", &format!("{eighths}/8")], jpeg);
    let mut lines = pnm.splitn(4, |&byte| byte == b'\n');
    let samples = if lines.next()? == b"P5" { 1 } else { 3 };
    let size = std::str::from_utf8(lines.next()?).unwrap();
    let (width, height) = size.split_once(' ').unwrap();
    lines.next()?;
    Some(Pixels {
        width: width.parse().unwrap(),
        height: height.parse().unwrap(),
        samples,
        rows: lines.next()?.to_vec(),
    })
}

/// What we make of a JPEG, read by `at_once` rows, and what was lost.
pub(super) fn decode(eighths: u8, at_once: usize, jpeg: &[u8]) -> Result<(Pixels, Option<f64>), Error> {
    let mut decoder = Decoder::new(jpeg, DecodeOptions::default())?;
    decoder.set_scale(eighths)?;
    let ((width, height), samples) = (decoder.size(), decoder.samples_per_pixel());
    let mut band = vec![0; width as usize * samples * at_once];
    let mut rows = Vec::new();
    loop {
        let count = decoder.read_rows(&mut band)?;
        if count == 0 {
            break;
        }
        rows.extend_from_slice(&band[..count * width as usize * samples]);
    }
    let pixels = Pixels { width: width as usize, height: height as usize, samples, rows };
    Ok((pixels, decoder.damage().map(|damage| damage.share)))
}

/// The largest difference of a sample.
pub(super) fn difference(a: &Pixels, b: &Pixels) -> u8 {
    assert_eq!((a.width, a.height, a.samples), (b.width, b.height, b.samples));
    assert_eq!(a.rows.len(), b.rows.len());
    a.rows.iter().zip(&b.rows).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Sampling factors of three components, as cjpeg takes them.
pub(super) const SAMPLING: [&str; 14] = [
    "1x1",
    "2x1",
    "1x2",
    "2x2",
    "4x1",
    "1x4",
    "4x2",
    "2x4",
    "1x1,2x2,2x1",
    "1x1,2x1,2x1",
    "2x2,1x2,2x1",
    "1x2,1x1,1x2",
    "3x1",
    "1x3",
];

/// A file with random parameters, and what they are.
pub(super) fn random_file(random: &mut Random) -> (Vec<u8>, String) {
    loop {
        let ppm = {
            let (width, height) = (1 + random.below(140), 1 + random.below(140));
            picture(random, width, height)
        };
        let mut arguments = vec!["-quality".to_owned(), (5 + random.below(96)).to_string()];
        match random.below(8) {
            0 => arguments.push("-grayscale".into()),
            1 => arguments.push("-rgb".into()),
            _ => arguments.extend(["-sample".into(), random.pick(&SAMPLING).into()]),
        }
        arguments.extend(
            [&["-progressive"][..], &["-arithmetic"], &["-optimize"], &[]][random.below(4)]
                .iter()
                .map(|s| (*s).into()),
        );
        if random.below(4) == 0 {
            arguments.push("-progressive".into());
        }
        if random.below(2) == 0 {
            let blocks = format!("{}B", 1 + random.below(9));
            let rows = (1 + random.below(3)).to_string();
            arguments.extend(["-restart".into(), if random.below(2) == 0 { blocks } else { rows }]);
        }
        let file = cjpeg(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &ppm);
        // cjpeg refuses MCUs of more than ten blocks.
        if !file.is_empty() {
            return (file, arguments.join(" "));
        }
    }
}
