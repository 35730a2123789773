//! Bytes and seconds of filepress-png at an effort beside oxipng at a level, for PNG files and folders: `EFFORT LEVEL [PATH…]`,
//! by default `4 2` and the PNGs from 20 kB on of `/usr/share`, `../shared/corpus` and `../shared/kodak`, as far as these are there.
//! Level 9 is oxipng's highest, with zopfli. The seconds are those of the thread's processor, so that other work on the machine
//! counts little.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a tool prints, and reads the clock")]

use std::fs;
use std::path::{Path, PathBuf};

use filepress_lossless_bench::{Result, measure, summary};
use filepress_png::{Color, Picture, Prepared, Settings};
use oxipng::{BitDepth, ColorType, Deflater, Options, RawImage, ZopfliOptions};
use png::{Decoder, Transformations};

const FOLDERS: [&str; 3] = ["/usr/share", "../shared/corpus", "../shared/kodak"];
/// Smaller files are left out.
const LEAST: u64 = 20_000;
/// oxipng's highest level, with zopfli.
const ZOPFLI: u8 = 9;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let effort = arguments.next().map_or(Ok(4), |effort| effort.parse())?;
    let level = arguments.next().map_or(Ok(2), |level| level.parse())?;
    let named: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let roots = if named.is_empty() { FOLDERS.map(PathBuf::from).to_vec() } else { named };
    let mut files = Vec::new();
    roots.iter().try_for_each(|root| walk(root, &mut files))?;
    println!(
        "| file | pixels | filepress {effort} | oxipng {level} | bytes | time |\n|{}",
        " --- |".repeat(6)
    );
    let (mut bytes, mut times) = (Vec::new(), Vec::new());
    for file in &files {
        let Some(picture) = decode(&fs::read(file)?) else { continue };
        let pixels = format!("{} × {}", picture.width, picture.height);
        let (ours, our_seconds) = measure(|| filepress(picture.clone(), effort))?;
        let (theirs, their_seconds) = measure(|| oxipng(picture.clone(), level))?;
        bytes.push(ours as f64 / theirs as f64);
        times.push(our_seconds / their_seconds);
        println!(
            "| {} | {pixels} | {ours} {our_seconds:.2} s | {theirs} {their_seconds:.2} s | {:.4} | {:.2} |",
            file.display(),
            bytes[bytes.len() - 1],
            times[times.len() - 1]
        );
    }
    if bytes.is_empty() {
        return Err("no PNG of 20 kB or more was found".into());
    }
    println!("\n{} files: bytes {}; time {}", bytes.len(), summary(&bytes), summary(&times));
    Ok(())
}

/// The PNG files of a folder, or the file itself.
fn walk(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_symlink() || !path.exists() {
        return Ok(());
    }
    if path.is_dir() {
        let mut paths: Vec<_> = fs::read_dir(path)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        return paths.iter().try_for_each(|path| walk(path, files));
    }
    let is_png = path.extension().is_some_and(|extension| extension == "png");
    if is_png && fs::metadata(path)?.len() >= LEAST {
        files.push(path.to_owned());
    }
    Ok(())
}

/// The pixels of a still picture.
fn decode(bytes: &[u8]) -> Option<Picture> {
    let mut decoder = Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().ok().filter(|reader| reader.info().animation_control().is_none())?;
    let mut rows = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut rows).ok()?;
    let (color, depth) = reader.output_color_type();
    let color = match color {
        png::ColorType::Grayscale => Color::Gray { key: None },
        png::ColorType::GrayscaleAlpha => Color::GrayAlpha,
        png::ColorType::Rgb => Color::Rgb { key: None },
        _ => Color::Rgba,
    };
    let (width, height) = (reader.info().width, reader.info().height);
    Some(Picture { width, height, color, depth: depth as u8, rows })
}

fn filepress(picture: Picture, effort: u8) -> Result<Vec<u8>> {
    let settings = Settings { effort, reduce: true, gray: true };
    Ok(Prepared::new(picture, settings).ok_or("no picture")?.encode())
}

fn oxipng(picture: Picture, level: u8) -> Result<Vec<u8>> {
    let color = match picture.color {
        Color::Gray { .. } => ColorType::Grayscale { transparent_shade: None },
        Color::GrayAlpha => ColorType::GrayscaleAlpha,
        Color::Rgb { .. } => ColorType::RGB { transparent_color: None },
        _ => ColorType::RGBA,
    };
    let depth = if picture.depth == 16 { BitDepth::Sixteen } else { BitDepth::Eight };
    let options = match level {
        ZOPFLI => {
            Options { deflater: Deflater::Zopfli(ZopfliOptions::default()), ..Options::max_compression() }
        }
        level => Options::from_preset(level),
    };
    let raw = RawImage::new(picture.width, picture.height, color, depth, picture.rows)?;
    Ok(raw.create_optimized_png(&options)?)
}
