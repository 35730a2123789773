//! PDF → PDF, and PDF pages as images.

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::seed::seed;
use crate::tools::{Bench, document, fact, object, pdf_of, run, warnings};
use crate::{pair, size};

#[tokio::test]
async fn a_document_is_compressed_and_pages_are_extracted() {
    let bench = Bench::new().await;
    let five = bench.write("five.pdf", document(5));
    let settings = json!({ "pages": "2-3,5" });
    let made =
        bench.convert(&five, MediaType::Pdf, Some(MediaType::Pdf), settings).await.expect("a document");
    let output = made.done.output.to_str().expect("a path");
    assert!(run("pdfinfo", &[output]).contains("Pages:           3"));
    let text = run("pdftotext", &[output, "-"]);
    assert!(
        text.contains("Page 2 of") && text.contains("Page 5 of") && !text.contains("Page 1 of"),
        "{text}"
    );
    let settings = json!({ "pages": "4-9" });
    let (code, _) = bench.refused(&five, MediaType::Pdf, MediaType::Pdf, settings).await;
    assert_eq!(code, TaskErrorCode::PageOutOfRange);

    let photo = bench.write("photo.pnm", noise(1200, 900));
    let settings = json!({ "dpi": 300 });
    let scan =
        bench.convert(&photo, MediaType::Pnm, Some(MediaType::Pdf), settings).await.expect("a document");
    let scan = bench.write("scan.pdf", &scan.bytes);
    let sizes = async |settings| {
        let made = bench.convert(&scan, MediaType::Pdf, Some(MediaType::Pdf), settings).await;
        made.expect("a document").bytes.len()
    };
    let (default, low, lossless) = (
        sizes(json!({})).await,
        sizes(json!({ "dpi": 50, "quality": 30 })).await,
        sizes(json!({ "lossless": true })).await,
    );
    assert!(low < default && default < lossless, "{low} {default} {lossless}");
    let target = default / 3;
    assert!(sizes(json!({ "target_size": target })).await <= target);
    let settings = json!({ "target_size": 900 });
    let (code, _) = bench.refused(&scan, MediaType::Pdf, MediaType::Pdf, settings).await;
    assert_eq!(code, TaskErrorCode::TargetUnreachable);
}

/// Pixels that do not compress.
fn noise(width: u32, height: u32) -> Vec<u8> {
    let mut pnm = format!("P6\n{width} {height}\n255\n").into_bytes();
    let mut state = seed(1) as u32;
    pnm.extend((0..width * height * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    pnm
}

#[tokio::test]
async fn document_information_is_removed() {
    let bench = Bench::new().await;
    let objects: Vec<Vec<u8>> = [
        "<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
        "<< /Title (Planted title) /Author (Planted author) >>",
        "<< /Type /Metadata /Subtype /XML /Length 14 >>\nstream\n<x>Planted</x>\nendstream",
    ]
    .map(|object| object.as_bytes().to_vec())
    .into();
    let input = bench.write("signed.pdf", pdf_of(&objects, "/Info 4 0 R"));
    for (settings, expected) in [
        (json!({ "lossless": true, "pages": "1" }), false),
        (json!({ "pages": "1" }), false),
        (json!({ "lossless": true, "pages": "1", "strip_metadata": false }), true),
    ] {
        let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), settings.clone()).await;
        let output = made.expect("a document").done.output;
        let path = output.to_str().expect("a path");
        let told = run("pdfinfo", &[path]) + &run("pdfinfo", &["-meta", path]);
        assert_eq!(told.contains("Planted"), expected, "{settings}: {told}");
        assert!(run("qpdf", &["--check", path]).contains("No syntax"), "{settings}");
    }
}

#[tokio::test]
async fn an_encrypted_document_is_reported() {
    let bench = Bench::new().await;
    let plain = bench.write("plain.pdf", document(1));
    let (plain, locked) = (plain.to_str().expect("a path"), bench.path("locked.pdf"));
    let locked_path = locked.to_str().expect("a path");
    run("qpdf", &["--encrypt", "user", "owner", "256", "--", plain, locked_path]);
    for to in [MediaType::Pdf, MediaType::Png] {
        let (code, _) = bench.refused(&locked, MediaType::Pdf, to, json!({})).await;
        assert_eq!(code, TaskErrorCode::PasswordProtected);
    }
    // One that anyone may open is open.
    run("qpdf", &["--encrypt", "", "owner", "256", "--", plain, locked_path]);
    for to in [MediaType::Pdf, MediaType::Png] {
        assert!(bench.convert(&locked, MediaType::Pdf, Some(to), json!({})).await.is_ok());
    }
    let made = bench.convert(&locked, MediaType::Pdf, Some(MediaType::Pdf), json!({ "pages": "1" })).await;
    assert_eq!(warnings(&made.expect("a document").done), ["encryption_removed"]);
}

#[tokio::test]
async fn a_signed_document_is_returned_unchanged() {
    let bench = Bench::new().await;
    let objects: Vec<Vec<u8>> = [
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /SigFlags 3 >> >>".to_owned(),
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [4 0 R] >>".to_owned(),
        "<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /Rect [0 0 0 0] /P 3 0 R /V 5 0 R >>"
            .to_owned(),
        format!(
            "<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 9 99 9] /Contents <{}> >>",
            "00".repeat(4000)
        ),
    ]
    .map(String::into_bytes)
    .into();
    let input = bench.write("signed.pdf", pdf_of(&objects, ""));
    let kept = bench.convert(&input, MediaType::Pdf, None, json!({})).await.expect("a document").done;
    assert!(kept.kept_original);
    assert_eq!(warnings(&kept), ["signature_kept", "metadata_kept"]);
    // What was asked for cannot be had otherwise.
    let made =
        bench.convert(&input, MediaType::Pdf, None, json!({ "pages": "1" })).await.expect("a document").done;
    assert_eq!((made.kept_original, warnings(&made)), (false, vec!["signature_broken".to_owned()]));
    // No output is encrypted, not even one that is signed.
    let (from, to) = (input.to_str().expect("a path"), bench.path("encrypted.pdf"));
    run("qpdf", &["--encrypt", "", "owner", "256", "--", from, to.to_str().expect("a path")]);
    let made = bench.convert(&to, MediaType::Pdf, None, json!({})).await.expect("a document").done;
    assert!(!made.kept_original);
    assert_eq!(warnings(&made), ["encryption_removed", "signature_broken"]);
}

/// The engine cannot read objects that are nested so deeply; qpdf can.
#[tokio::test]
async fn a_signed_document_that_is_nested_too_deeply_is_returned_unchanged() {
    let bench = Bench::new().await;
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let catalog = |form: &str| format!("<< /Type /Catalog /Pages 2 0 R /Deep {deep} {form} >>");
    let page = |more: &str| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Padding ({}) {more} >>",
            " ".repeat(4000)
        )
    };
    let pages = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_owned();
    let field =
        "<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /Rect [0 0 0 0] /P 3 0 R /V 5 0 R >>";
    let signature =
        format!("<< /Type /Sig /Filter /X /ByteRange [0 9 99 9] /Contents <{}> >>", "00".repeat(4000));
    let signed = [
        catalog("/AcroForm << /Fields [4 0 R] /SigFlags 3 >>"),
        pages.clone(),
        page("/Annots [4 0 R]"),
        field.to_owned(),
        signature,
    ];
    let signed = bench.write("signed.pdf", pdf_of(&signed.map(String::into_bytes), ""));
    let kept = bench.convert(&signed, MediaType::Pdf, None, json!({})).await.expect("a document").done;
    assert!(kept.kept_original);
    assert_eq!(warnings(&kept), ["signature_kept", "metadata_kept"]);
    let plain = [catalog(""), pages, page("")];
    let plain = bench.write("plain.pdf", pdf_of(&plain.map(String::into_bytes), ""));
    let made = bench.convert(&plain, MediaType::Pdf, None, json!({})).await.expect("a document").done;
    assert!(!made.kept_original && warnings(&made).contains(&"streams_kept".to_owned()));
}

#[tokio::test]
async fn a_damaged_document_is_rebuilt() {
    let bench = Bench::new().await;
    let whole = document(2);
    let table = whole.windows(5).rposition(|word| word == b"xref\n").expect("a table");
    let table = whole[..table].windows(5).rposition(|word| word == b"xref\n").unwrap_or(table);
    let input = bench.write("cut.pdf", &whole[..table]);
    let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), json!({ "pages": "1-2" })).await;
    let made = made.expect("a document").done;
    assert_eq!(warnings(&made), ["rewritten"]);
    let text = run("pdftotext", &[made.output.to_str().expect("a path"), "-"]);
    assert!(text.contains("Page 1 of") && text.contains("Page 2 of"), "{text}");
}

/// Neither bytes before the header nor a lost end keep tools from finding the objects.
#[tokio::test]
async fn a_readable_document_is_not_reported_as_corrupt() {
    let bench = Bench::new().await;
    let mut shifted = b"some bytes before\n".to_vec();
    shifted.extend(document(1));
    // Without its end; and without its trailer, which only Ghostscript does without.
    for lost in [12, 40] {
        let input = bench.write("shifted.pdf", &shifted[..shifted.len() - lost]);
        for to in [MediaType::Pdf, MediaType::Png] {
            let made = bench.convert(&input, MediaType::Pdf, Some(to), json!({})).await;
            assert!(made.is_ok(), "{to}, {lost}: {:?}", made.err());
        }
    }
}

#[tokio::test]
async fn a_password_opens_a_document() {
    let bench = Bench::new().await;
    let plain = bench.write("plain.pdf", document(2));
    let locked = bench.path("locked.pdf");
    let (plain, path) = (plain.to_str().expect("a path"), locked.to_str().expect("a path"));
    run("qpdf", &["--encrypt", "pass word", "owner", "256", "--", plain, path]);
    for to in [MediaType::Pdf, MediaType::Png] {
        for password in ["pass word", "owner"] {
            let settings = json!({ "password": password });
            let made = bench.convert(&locked, MediaType::Pdf, Some(to), settings).await;
            let made = made.unwrap_or_else(|failure| panic!("{to}: {failure:?}"));
            assert!(!made.bytes.windows(8).any(|bytes| bytes == b"/Encrypt"));
            let folder = made.done.output.parent().expect("a folder");
            assert!(!folder.join("password").exists(), "the password is left behind");
        }
        for settings in [json!({}), json!({ "password": "sesame" })] {
            let (code, detail) = bench.refused(&locked, MediaType::Pdf, to, settings).await;
            assert_eq!(code, TaskErrorCode::PasswordProtected);
            assert!(detail.contains("`password`") && !detail.contains("sesame"), "{detail}");
        }
        for password in [json!(""), json!("a\nb"), json!("x".repeat(128)), json!(7)] {
            let settings = object(json!({ "password": password }));
            let refusal = bench.tools.plan(MediaType::Pdf, Some(to), &settings).expect_err("no password");
            assert!(refusal.pointer.ends_with("/password"), "{refusal:?}");
        }
    }
    let settings = object(json!({ "password": "pass word", "dpi": 100 }));
    let plan = bench.tools.plan(MediaType::Pdf, Some(MediaType::Pdf), &settings).expect("a plan");
    assert_eq!(plan.settings(), object(json!({ "dpi": 100 })));
    assert!(!format!("{plan:?}").contains("pass word"), "{plan:?}");
}

#[tokio::test]
async fn several_pages_become_images_in_a_zip() {
    let bench = Bench::new().await;
    let input = bench.write("five.pdf", document(5));
    let settings = json!({ "dpi": 36, "pages": "2-3,5,2" });
    let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Png), settings).await.expect("a ZIP");
    assert!(made.done.is_archive);
    assert_eq!(fact(&made.done, "/output/pages"), 4.0);
    assert_eq!(made.done.metadata["output"]["container"], "application/zip");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&made.bytes)).expect("a ZIP");
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    assert_eq!(names, ["page-002.png", "page-003.png", "page-005.png", "page-002-2.png"]);
    let alone =
        bench.convert(&input, MediaType::Pdf, Some(MediaType::Png), json!({ "dpi": 36, "pages": "5" })).await;
    let alone = alone.expect("a page");
    assert!(!alone.done.is_archive);
    let mut third = Vec::new();
    std::io::copy(&mut archive.by_name("page-005.png").expect("a page"), &mut third).expect("bytes");
    assert_eq!(third, alone.bytes);
    let all = bench
        .convert(&input, MediaType::Pdf, Some(MediaType::Jpeg), json!({ "dpi": 36, "pages": "all" }))
        .await;
    assert_eq!(fact(&all.expect("a ZIP").done, "/output/pages"), 5.0);
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Png, json!({ "pages": "4-6" })).await;
    assert_eq!(code, TaskErrorCode::PageOutOfRange);
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Png, json!({ "pages": "7-" })).await;
    assert_eq!(code, TaskErrorCode::PageOutOfRange);
    for settings in [json!({ "page": 1, "pages": "2" }), json!({ "pages": "all", "target_size": 1000 })] {
        assert!(bench.tools.plan(MediaType::Pdf, Some(MediaType::Png), &object(settings)).is_err());
    }
}

#[tokio::test]
async fn a_zip_respects_the_limits() {
    let mut bench = Bench::new().await;
    let input = bench.write("five.pdf", document(5));
    bench.limits.output = 20_000;
    let many = json!({ "dpi": 100, "pages": "all" });
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Bmp, many.clone()).await;
    assert_eq!(code, TaskErrorCode::OutputTooLarge);
    let repeated = json!({ "pages": vec!["1-5"; 400].join(","), "dpi": 36 });
    bench.limits.pages = 1999;
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Png, repeated).await;
    assert_eq!(code, TaskErrorCode::TooManyPages);
    let beyond = json!({ "pages": vec!["1-1000000"; 400].join(","), "dpi": 36 });
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Png, beyond).await;
    assert!(matches!(code, TaskErrorCode::TooManyPages | TaskErrorCode::PageOutOfRange), "{code}");
}

#[tokio::test]
async fn only_the_output_has_to_fit_the_maximum_of_an_output() {
    let mut bench = Bench::new().await;
    let photo = bench.write("photo.pnm", noise(600, 450));
    let settings = json!({ "dpi": 300, "quality": 100 });
    let scan = bench.convert(&photo, MediaType::Pnm, Some(MediaType::Pdf), settings).await;
    let scan = bench.write("scan.pdf", &scan.expect("a document").bytes);
    let smaller = json!({ "quality": 10, "dpi": 36 });
    bench.limits.output = std::fs::metadata(&scan).expect("a file").len() / 2;
    // The files between the input and the output are larger.
    let made = bench.convert(&scan, MediaType::Pdf, Some(MediaType::Pdf), smaller).await;
    assert!((made.expect("a document").bytes.len() as u64) < bench.limits.output);
    let page = json!({ "dpi": 36, "quality": 10 });
    assert!(bench.convert(&scan, MediaType::Pdf, Some(MediaType::Jpeg), page).await.is_ok());
    bench.limits.output = 100;
    let (code, _) = bench.refused(&scan, MediaType::Pdf, MediaType::Pdf, json!({})).await;
    assert_eq!(code, TaskErrorCode::OutputTooLarge);
}

#[tokio::test]
async fn a_page_becomes_an_image() {
    let bench = Bench::new().await;
    let input = bench.write("three.pdf", document(3));
    let settings = json!({ "dpi": 72, "page": 2 });
    let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Png), settings).await.expect("a page");
    assert_eq!(size(&made.done.output), pair(612, 792));
    assert_eq!(fact(&made.done, "/input/pages"), 3.0);
    let first =
        bench.convert(&input, MediaType::Pdf, Some(MediaType::Jpeg), json!({})).await.expect("a page");
    assert_eq!(warnings(&first.done), ["pages_dropped"]);
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Png, json!({ "page": 4 })).await;
    assert_eq!(code, TaskErrorCode::PageOutOfRange);
}
