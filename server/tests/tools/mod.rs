//! Generated input files, and a toolbox to convert them with.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at what it does not expect")]

pub(crate) mod section;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use filepress_server::config::{Config, ConversionLimits, SandboxChoice};
use filepress_server::media::{ConversionJob, ConversionResult, Failure, Toolbox};
use filepress_wire::{MediaClass, MediaType, SNIFF_BYTES, TaskErrorCode};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A toolbox whose children are started from the service's binary.
pub(crate) async fn toolbox(sandbox: SandboxChoice) -> Toolbox {
    let config = Config {
        program: Some(env!("CARGO_BIN_EXE_filepress-server").into()),
        sandbox,
        ..Config::new("/nonexistent")
    };
    Toolbox::find(&config).await
}

/// A toolbox as a service has it, and folders of one test.
pub(crate) struct Bench {
    pub(crate) tools: Toolbox,
    pub(crate) limits: ConversionLimits,
    folder: TempDir,
    runs: Mutex<u32>,
}

/// A conversion that succeeded.
pub(crate) struct Made {
    pub(crate) done: ConversionResult,
    pub(crate) bytes: Vec<u8>,
    /// What was told of the progress.
    pub(crate) shares: Vec<f64>,
}

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::confined(SandboxChoice::Auto).await
    }

    pub(crate) async fn confined(sandbox: SandboxChoice) -> Self {
        let tools = toolbox(sandbox).await;
        let folder = tempfile::tempdir().expect("a folder");
        Self { tools, limits: ConversionLimits::default(), folder, runs: Mutex::new(0) }
    }

    /// A path for a file of this test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file of this test.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a written file");
        path
    }

    /// An empty folder.
    pub(crate) fn scratch(&self) -> PathBuf {
        let mut runs = self.runs.lock().expect("a number");
        *runs += 1;
        let scratch = self.path(&format!("scratch-{runs}"));
        std::fs::create_dir(&scratch).expect("a folder");
        scratch
    }

    /// The folder of the latest conversion.
    pub(crate) fn last_scratch(&self) -> PathBuf {
        self.path(&format!("scratch-{}", self.runs.lock().expect("a number")))
    }

    /// Plans and runs; `output` none is what a request without a format asks for.
    pub(crate) async fn convert(
        &self,
        input: &Path,
        from: MediaType,
        to: Option<MediaType>,
        settings: Value,
    ) -> Result<Made, Failure> {
        self.combine(&[(input, from)], to, settings).await
    }

    /// As [`Self::convert`], of several inputs.
    pub(crate) async fn combine(
        &self,
        inputs: &[(&Path, MediaType)],
        to: Option<MediaType>,
        settings: Value,
    ) -> Result<Made, Failure> {
        let types: Vec<_> = inputs.iter().map(|(_, media)| *media).collect();
        let plan = self.tools.plan_several(&types, to, &object(settings)).expect("a plan");
        let [(input, _), more @ ..] = inputs else { panic!("no input") };
        let more_inputs: Vec<_> = more.iter().map(|(path, _)| path.to_path_buf()).collect();
        let shares = Mutex::new(Vec::new());
        let progress = |share: f64| shares.lock().expect("a list").push(share);
        let scratch = self.scratch();
        let cancel = CancellationToken::new();
        let work = ConversionJob {
            input,
            more_inputs: &more_inputs,
            scratch: &scratch,
            limits: &self.limits,
            progress: &progress,
            cancel,
        };
        let done = self.tools.run(&plan, work).await?;
        let bytes = std::fs::read(&done.output).expect("an output");
        let shares = shares.into_inner().expect("a list");
        Ok(Made { done, bytes, shares })
    }

    /// The code that a conversion fails with.
    pub(crate) async fn refused(
        &self,
        input: &Path,
        from: MediaType,
        to: MediaType,
        settings: Value,
    ) -> (TaskErrorCode, String) {
        match self.convert(input, from, Some(to), settings).await {
            Err(Failure::File { code, detail }) => (code, detail),
            Err(other) => panic!("no fault of the file: {other:?}"),
            Ok(made) => panic!("converted: {:?}", made.done.metadata),
        }
    }

    /// A file of any type: a second of moving bars, a tone, a page.
    pub(crate) async fn sample(&self, media: MediaType) -> PathBuf {
        let path = self.path(&format!("sample.{}", media.extensions()[0]));
        if path.exists() {
            return path;
        }
        match (media.class(), media) {
            (_, MediaType::Pnm) => {
                self.write("sample.pnm", pnm(64, 48));
            }
            (_, MediaType::Svg) => {
                self.write("sample.svg", SVG);
            }
            (_, MediaType::Heic) => {
                let source = self.path("source.png");
                ffmpeg(&[&["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1"]], &source);
                heif_enc(&[], &[&source], &path);
            }
            (MediaClass::Image | MediaClass::Document, _) => {
                let source = self.write("source.pnm", pnm(64, 48));
                let made = self.convert(&source, MediaType::Pnm, Some(media), json!({})).await;
                std::fs::write(&path, made.expect("a sample").bytes).expect("a written file");
            }
            (MediaClass::Video, _) => {
                let source = self.video("sample-source.mkv", &[]);
                let made = self.convert(&source, MediaType::Matroska, Some(media), json!({})).await;
                std::fs::write(&path, made.expect("a sample").bytes).expect("a written file");
            }
            (MediaClass::Audio, _) => {
                let source = self.sound("sample-source.wav", &[]);
                let made = self.convert(&source, MediaType::Wav, Some(media), json!({})).await;
                std::fs::write(&path, made.expect("a sample").bytes).expect("a written file");
            }
        }
        path
    }

    /// A second of 160 × 120 at 25 frames a second with a tone, written with further arguments of ffmpeg.
    pub(crate) fn video(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let path = self.path(name);
        if !path.exists() {
            let sources =
                ["-f", "lavfi", "-i", "testsrc=d=1:s=160x120:r=25", "-f", "lavfi", "-i", "sine=d=1"];
            ffmpeg(&[&sources[..], &["-pix_fmt", "yuv420p"], arguments], &path);
        }
        path
    }

    /// A second of a tone in stereo.
    pub(crate) fn sound(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let path = self.path(name);
        if !path.exists() {
            ffmpeg(&[&["-f", "lavfi", "-i", "sine=d=1:r=44100", "-ac", "2"], arguments], &path);
        }
        path
    }

    /// An animation of 10 pictures in a second, with transparency where there is an alpha channel.
    pub(crate) fn animation(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        if !path.exists() {
            ffmpeg(&[&["-f", "lavfi", "-i", "testsrc=d=1:s=64x48:r=10", "-loop", "0"]], &path);
        }
        path
    }
}

/// Runs ffmpeg without any confinement, for inputs of our own.
pub(crate) fn ffmpeg(arguments: &[&[&str]], output: &Path) {
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y"]).args(arguments.concat()).arg(output);
    let ended = command.status().expect("ffmpeg is installed");
    assert!(ended.success(), "ffmpeg made no input: {arguments:?}");
}

/// Runs heif-enc: the images become one HEIC.
pub(crate) fn heif_enc(arguments: &[&str], images: &[&Path], output: &Path) {
    let mut command = Command::new("heif-enc");
    let ended =
        command.args(arguments).args(images).arg("-o").arg(output).output().expect("heif-enc is installed");
    assert!(ended.status.success(), "heif-enc made no input: {}", String::from_utf8_lossy(&ended.stderr));
}

/// What ffprobe says of a file, by the name of an entry such as `stream=codec_name`.
pub(crate) fn probe(path: &Path, entry: &str) -> Vec<String> {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-of", "default=nw=1:nk=1", "-show_entries", entry]).arg(path);
    let output = command.output().expect("ffprobe is installed");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// What a command prints.
pub(crate) fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect("the program is installed");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// A colorful picture with fine detail, so that it has something to compress.
pub(crate) fn pnm(width: u32, height: u32) -> Vec<u8> {
    let mut pnm = format!("P6\n{width} {height}\n255\n").into_bytes();
    for y in 0..height {
        for x in 0..width {
            pnm.extend([(x * 255 / width) as u8, (y * 255 / height) as u8, ((x * 7) ^ (y * 13)) as u8]);
        }
    }
    pnm
}

pub(crate) const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"48\">\
    <rect width=\"64\" height=\"48\" fill=\"#3070c0\"/><circle cx=\"32\" cy=\"24\" r=\"16\" fill=\"white\"/></svg>";

/// A PDF of a number of pages with a line of text each, of 612 × 792 points.
pub(crate) fn document(pages: u32) -> Vec<u8> {
    let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Count {pages} /Kids [{}] >>", kids.join(" ")),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for page in 0..pages {
        let text = format!("BT /F 24 Tf 72 700 Td (Page {} of the document) Tj ET", page + 1);
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R \
             /Resources << /Font << /F 3 0 R >> >> >>",
            5 + 2 * page
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()));
    }
    pdf_of(&objects.iter().map(|object| object.clone().into_bytes()).collect::<Vec<_>>(), "")
}

/// A PDF of objects, numbered from 1; the first is the catalog.
pub(crate) fn pdf_of(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut pdf = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(pdf.len());
        pdf.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        pdf.extend(object);
        pdf.extend(b"\nendobj\n");
    }
    let table = pdf.len();
    pdf.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for offset in offsets {
        pdf.extend(format!("{offset:010} 00000 n \n").into_bytes());
    }
    let size = objects.len() + 1;
    pdf.extend(
        format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF\n")
            .into_bytes(),
    );
    pdf
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("no object: {other}"),
    }
}

/// Whether bytes are of a type, as the service itself recognizes files.
pub(crate) fn is(bytes: &[u8], media: MediaType) -> bool {
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    filepress::media::recognize(head, Some(media.as_str()), None) == Ok(media)
}

/// A number of a conversion's metadata, such as `/output/width`.
pub(crate) fn fact(done: &ConversionResult, pointer: &str) -> f64 {
    let metadata = Value::Object(done.metadata.clone());
    metadata.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {metadata}"))
}

/// The codes of a conversion's warnings.
pub(crate) fn warnings(done: &ConversionResult) -> Vec<String> {
    let warnings = done.metadata["warnings"].as_array().expect("a list");
    warnings.iter().map(|warning| warning["code"].as_str().expect("a code").to_owned()).collect()
}
