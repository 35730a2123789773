//! Bytes and seconds of each encoder for the files that are named, and for files of Debian's packages if there is none. The
//! seconds are those of the thread's processor, so that other work on the machine counts little.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a tool prints, and reads the clock")]

use std::fs;
use std::path::{Path, PathBuf};

use filepress_deflate::{Container, Level, compress};
use filepress_lossless_bench::{Result, measure, summary};
use libdeflater::{CompressionLvl, Compressor};

/// The longest part of a file that is compressed.
const MOST: usize = 4 << 20;
/// A program, a library, a database of text, and folders of texts that are joined.
const FILES: [&str; 5] = [
    "/usr/bin/perl",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/var/lib/dpkg/status",
    "/usr/include",
    "/usr/share/perl",
];

type Encode = fn(&[u8]) -> Result<Vec<u8>>;

/// The encoders. Their order is that of the columns.
const ENCODERS: [(&str, Encode); 10] = [
    ("fast", |data| Ok(compress(data, Container::Zlib, Level::Fast))),
    ("lazy", |data| Ok(compress(data, Container::Zlib, Level::Lazy))),
    ("quick", |data| Ok(compress(data, Container::Zlib, Level::Quick))),
    ("optimal", |data| Ok(compress(data, Container::Zlib, Level::Optimal))),
    ("slow", |data| Ok(compress(data, Container::Zlib, Level::Slow))),
    ("libdeflate 1", |data| libdeflate(data, 1)),
    ("libdeflate 6", |data| libdeflate(data, 6)),
    ("libdeflate 10", |data| libdeflate(data, 10)),
    ("libdeflate 12", |data| libdeflate(data, 12)),
    ("zopfli", zopfli),
];
/// What is held against what: the goals are 1.000 and 1.002 of the bytes, in 1 and 0.5 of the time.
const PAIRS: [(usize, usize); 2] = [(3, 8), (4, 9)];

fn main() -> Result<()> {
    let named: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let files = if named.is_empty() { FILES.map(PathBuf::from).to_vec() } else { named };
    println!("| file | bytes | {} |", ENCODERS.map(|(name, _)| name).join(" | "));
    println!("|{}", " --- |".repeat(2 + ENCODERS.len()));
    let mut rows = Vec::new();
    for file in &files {
        let mut data = Vec::new();
        read(file, &mut data)?;
        if data.is_empty() {
            continue;
        }
        let row = ENCODERS.map(|(_, encode)| measure(|| encode(&data)));
        let row: Vec<(usize, f64)> = row.into_iter().collect::<Result<_>>()?;
        let cells: Vec<_> = row.iter().map(|(bytes, seconds)| format!("{bytes} {seconds:.2} s")).collect();
        println!("| {} | {} | {} |", file.display(), data.len(), cells.join(" | "));
        rows.push(row);
    }
    println!();
    for (ours, theirs) in PAIRS {
        let ratios = |pick: fn(&(usize, f64)) -> f64| -> Vec<f64> {
            rows.iter().map(|row| pick(&row[ours]) / pick(&row[theirs])).collect()
        };
        println!(
            "{} / {}: bytes {}; time {}",
            ENCODERS[ours].0,
            ENCODERS[theirs].0,
            summary(&ratios(|cell| cell.0 as f64)),
            summary(&ratios(|cell| cell.1))
        );
    }
    Ok(())
}

/// Appends a file, or the files of a folder in the order of their names, up to [`MOST`] bytes.
fn read(path: &Path, data: &mut Vec<u8>) -> Result<()> {
    if path.is_dir() {
        let mut paths: Vec<_> = fs::read_dir(path)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in &paths {
            if data.len() < MOST && !path.is_symlink() {
                read(path, data)?;
            }
        }
    } else if path.is_file() {
        data.extend(fs::read(path)?);
    }
    data.truncate(MOST);
    Ok(())
}

fn libdeflate(data: &[u8], level: i32) -> Result<Vec<u8>> {
    let level = CompressionLvl::new(level).map_err(|_| "no such level")?;
    let mut compressor = Compressor::new(level);
    let mut coded = vec![0; compressor.zlib_compress_bound(data.len())];
    let size = compressor.zlib_compress(data, &mut coded)?;
    coded.truncate(size);
    Ok(coded)
}

/// Fifteen iterations, its default.
fn zopfli(data: &[u8]) -> Result<Vec<u8>> {
    let mut coded = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Zlib, data, &mut coded)?;
    Ok(coded)
}
