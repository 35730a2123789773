//! SVG: what is rendered, at which size, and with which fonts. Hostile, damaged and minified SVGs have their own
//! files.

mod hostile;
mod minify;

use base64::encode as base64;
use filepress::ErrorCode;
use filepress::image::process;
use filepress::job::{self, Job};
use filepress::options::Options;
use filepress_wire::MediaType;
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use serde_json::{Value, json};

use super::support::{bytes_of, coded, options, photo, png, read, run};

/// A drawing with the usual namespaces.
fn svg(attributes: &str, content: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{content}</svg>"#
    )
}

/// A drawing of 100 × 100.
fn square(content: &str) -> String {
    svg(r#"width="100" height="100""#, content)
}

/// The pixels of a drawing, by way of PNG.
fn drawn_with(drawing: &str, mut options: Value) -> RgbaImage {
    options["to"] = json!("png");
    let output = run(drawing.as_bytes(), options).expect("a drawing");
    read(bytes_of(&output, &[]), "image/png").to_rgba8()
}

fn drawn(drawing: &str) -> RgbaImage {
    drawn_with(drawing, json!({}))
}

/// Pixels that are not clear.
fn ink(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0[3] > 0).count()
}

/// A drawing with fonts of the caller.
fn drawn_in(fonts: Vec<Vec<u8>>, drawing: &str) -> filepress::Result<RgbaImage> {
    let options = Options { fonts: Some(fonts), ..options(json!({ "to": "png" }))? };
    let Job::Local(job) = job::plan(MediaType::Svg, &options)? else { panic!("SVG is local") };
    let output = process(drawing.as_bytes(), &job, &mut |_| {})?;
    Ok(read(bytes_of(&output, &[]), "image/png").to_rgba8())
}

/// Bytes in base 64 (RFC 4648 §4).
mod base64 {
    pub(super) fn encode(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digits = |group: &[u8]| {
            let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(*group.get(at).unwrap_or(&0)));
            (0..4)
                .map(|at| match at <= group.len() {
                    true => char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]),
                    false => '=',
                })
                .collect::<String>()
        };
        bytes.chunks(3).map(digits).collect()
    }
}

fn data(mime: &str, bytes: &[u8]) -> String {
    format!("data:{mime};base64,{}", base64(bytes))
}

#[test]
fn the_size_is_that_of_the_root_element() {
    for (attributes, size) in [
        (r#"width="40" height="30""#, (40, 30)),
        (r#"width="40px" height="30.4""#, (40, 30)),
        (r#"width="1in" height="25.4mm""#, (96, 96)),
        (r#"width="3pc" height="10pt" viewBox="0 0 1 1""#, (48, 13)),
        (r#"viewBox="0 0 24 48""#, (24, 48)),
        (r#"viewBox="-5 -5 24.6 48" width="100%""#, (25, 48)),
        (r#"viewBox="0 0 24 48" height="96""#, (48, 96)),
        (r#"viewBox="0,0,24,48" width="50%" height="50%""#, (12, 24)),
        (r#"width="100%" height="100%""#, (300, 150)),
        ("", (300, 150)),
        (r#"width=".01" height="0.2""#, (1, 1)),
    ] {
        let picture = drawn(&svg(attributes, r#"<rect width="5000" height="5000" fill="lime"/>"#));
        assert_eq!(picture.dimensions(), size, "{attributes}");
        let corner = picture.get_pixel(size.0 - 1, size.1 - 1).0;
        assert_eq!(corner[1], 255, "{attributes} is painted to the corner");
    }
    let seen = |drawing: &str| {
        let seen = filepress::image::inspect(drawing.as_bytes(), MediaType::Svg, &Default::default());
        serde_json::to_value(seen.expect("a header")).expect("plain")
    };
    let entities = "<!DOCTYPE svg [<!ENTITY w \"70\">]><!-- <svg> --><s:svg xmlns:s='http://www.w3.org/2000/svg' width='&w;' height='5'>broken";
    let seen = seen(entities);
    assert_eq!((&seen["width"], &seen["height"], &seen["frames"]), (&json!(70), &json!(5), &json!(1)));
    assert_eq!(
        (&seen["hasAlpha"], &seen["bitDepth"], &seen["build"]),
        (&json!(true), &json!(8), &json!("full"))
    );
}

#[test]
fn shapes_have_their_colors_and_positions() {
    let picture = drawn(&square(
        r##"<style>.b{fill:#00f}</style>
        <rect width="50" height="50" fill="red"/>
        <rect x="50" width="50" height="50" class="b"/>
        <g transform="translate(0 50)"><rect width="50" height="50" fill="rgb(0,255,0)" fill-opacity=".5"/></g>
        <linearGradient id="g"><stop stop-color="white"/><stop offset="1"/></linearGradient>
        <use xlink:href="#r" x="50" y="50"/><defs><rect id="r" width="50" height="50" fill="url(#g)"/></defs>"##,
    ));
    assert_eq!(picture.get_pixel(25, 25).0, [255, 0, 0, 255]);
    assert_eq!(picture.get_pixel(75, 25).0, [0, 0, 255, 255]);
    assert_eq!(picture.get_pixel(25, 75).0, [0, 255, 0, 128], "alpha is straight");
    let shade = |x: u32| u32::from(picture.get_pixel(x, 75).0[0]);
    assert!(shade(52) > 235 && shade(97) < 20 && shade(75).abs_diff(127) < 8);
}

#[test]
fn colors_of_nearly_transparent_pixels_are_kept() {
    for alpha in [10, 64, 128, 200, 254] {
        let opacity = f64::from(alpha) / 255.0;
        let drawing = square(&format!(
            r#"<rect width="100" height="100" fill="rgb(200,100,50)" fill-opacity="{opacity}"/>"#
        ));
        let [red, green, blue, seen] = drawn(&drawing).get_pixel(50, 50).0;
        assert_eq!(seen, alpha);
        let step = 255 / alpha + 1;
        assert!(red.abs_diff(200) <= step && green.abs_diff(100) <= step && blue.abs_diff(50) <= step);
    }
}

#[test]
fn another_size_is_rendered_not_resized() {
    let drawing = svg(r#"width="10" height="10""#, r#"<rect x="2" y="2" width="5" height="5"/>"#);
    let large = drawn_with(&drawing, json!({ "resize": { "width": 400 } }));
    assert_eq!(large.dimensions(), (400, 400));
    let soft = |picture: &RgbaImage| {
        (0..400).filter(|&x| !matches!(picture.get_pixel(x, 200).0[3], 0 | 255)).count()
    };
    assert_eq!(soft(&large), 0, "edges fall between pixels");
    let small = png(drawn(&drawing));
    let enlarged = run(&small, json!({ "resize": { "width": 400 } })).expect("a result");
    let enlarged = read(bytes_of(&enlarged, &small), "image/png").to_rgba8();
    assert!(soft(&enlarged) > 20, "pixels are soft when they are enlarged");
}

#[test]
fn fit_applies_to_another_aspect_ratio() {
    let drawing = svg(
        r#"width="100" height="50""#,
        r#"<rect width="50" height="50" fill="red"/><rect x="50" width="50" height="50" fill="blue"/><rect width="10" height="50"/>"#,
    );
    let at = |fit: &str| drawn_with(&drawing, json!({ "resize": { "width": 60, "height": 60, "fit": fit } }));
    let filled = at("fill");
    assert_eq!(filled.dimensions(), (60, 60));
    assert_eq!((filled.get_pixel(2, 30).0[0], filled.get_pixel(29, 59).0[0]), (0, 255));
    assert_eq!(at("inside").dimensions(), (60, 30));
    let covered = at("cover");
    assert_eq!(covered.dimensions(), (60, 60));
    assert_eq!(covered.get_pixel(0, 30).0, [255, 0, 0, 255], "the left quarter is cut off");
    assert_eq!(covered.get_pixel(29, 30).0, [255, 0, 0, 255]);
    assert_eq!(covered.get_pixel(31, 30).0, [0, 0, 255, 255]);
}

#[test]
fn outputs_without_transparency_get_the_background() {
    let output = run(square("").as_bytes(), json!({ "to": "jpeg", "background": "#f00" })).expect("a result");
    assert!(output.report.warnings.iter().any(|warning| warning.code == "alpha_flattened"));
    let [red, green, _] = read(bytes_of(&output, &[]), "image/jpeg").to_rgb8().get_pixel(50, 50).0;
    assert!(red > 250 && green < 5);
}

#[test]
fn text_needs_no_system_font() {
    let text = |attributes: &str, text: &str| {
        drawn(&square(&format!(r#"<text x="5" y="60" font-size="40" {attributes}>{text}</text>"#)))
    };
    let plain = text("", "Ag");
    assert!(ink(&plain) > 300);
    assert_eq!(ink(&text("", " ")), 0);
    for family in
        ["serif", "sans-serif", "monospace", "cursive", "fantasy", "Arial, Helvetica", "No Such Font"]
    {
        assert_eq!(text(&format!(r#"font-family="{family}""#), "Ag"), plain, "{family}");
    }
    let bold = text(r#"font-weight="bold""#, "Ag");
    assert!(ink(&bold) > ink(&plain), "bold has more ink");
    let missing = text("", "\u{4e2d}");
    for letter in ["Ω", "Ж", "ł", "€", "→", "√", "★", "✓", "½"] {
        let seen = text("", letter);
        assert!(ink(&seen) > 50 && seen != missing, "{letter}");
        assert_ne!(text(r#"font-weight="bold""#, letter), missing, "bold {letter}");
    }
}

/// The built-in bold font under another name of the same length.
fn renamed_font() -> Vec<u8> {
    let mut font = include_bytes!("../../assets/fonts/Roboto-Bold.ttf").to_vec();
    let wide = |name: &str| name.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    for (from, to) in [(wide("Roboto"), wide("Caller")), (b"Roboto".to_vec(), b"Caller".to_vec())] {
        for at in 0..font.len() - from.len() {
            if font[at..].starts_with(&from) {
                font[at..at + to.len()].copy_from_slice(&to);
            }
        }
    }
    font
}

#[test]
fn the_callers_fonts_take_precedence() {
    let text = |family: &str| square(&format!(r#"<text x="5" y="60" font-size="40" {family}>Ag</text>"#));
    let (regular, bold) = (drawn(&text("")), drawn(&text(r#"font-weight="bold""#)));
    let given = |family: &str| drawn_in(vec![renamed_font()], &text(family)).expect("a drawing");
    assert_eq!(drawn(&text(r#"font-family="Caller""#)), regular, "it is not built in");
    assert_eq!(given(r#"font-family="Caller""#), bold);
    assert_eq!(given(r#"font-family="sans-serif""#), bold, "the caller's font stands for the generic ones");
    assert_eq!(given(r#"font-family="Roboto""#), regular);
    let greek =
        |fonts| drawn_in(fonts, &square(r#"<text y="60" font-size="40">Ω</text>"#)).expect("a drawing");
    assert_eq!(
        greek(vec![renamed_font()]),
        greek(Vec::new()),
        "what it lacks is taken from the built-in one"
    );
}

#[test]
fn an_invalid_font_is_refused_by_name() {
    for file in [Vec::new(), b"no font".to_vec(), renamed_font()[..40].to_vec()] {
        let error = drawn_in(vec![renamed_font(), file], &square("<text>a</text>")).expect_err("no font");
        assert_eq!(error.code(), ErrorCode::InvalidOption);
        assert_eq!(error.details().get("option"), Some(&"fonts".into()));
    }
}

#[test]
fn svg_converts_to_linear_light_formats() {
    let drawing = square(r##"<rect width="100" height="100" fill="#808080"/>"##);
    for to in ["hdr", "exr"] {
        let output = run(drawing.as_bytes(), json!({ "to": to })).expect("light");
        let back = run(bytes_of(&output, &[]), json!({ "to": "png" })).expect("a picture");
        let picture = read(bytes_of(&back, &[]), "image/png").to_rgb8();
        assert!(picture.pixels().all(|pixel| pixel.0.iter().all(|sample| sample.abs_diff(128) <= 1)), "{to}");
    }
}

#[test]
fn external_resources_are_not_loaded() {
    let folder = std::env::temp_dir().join(format!("filepress-svg-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("red.png");
    std::fs::write(&file, png(RgbaImage::from_pixel(10, 10, Rgba([255, 0, 0, 255])))).expect("a file");
    let path = file.display().to_string();
    for address in [
        path.clone(),
        format!("file://{path}"),
        "red.png".to_owned(),
        "http://127.0.0.1:9/red.png".to_owned(),
        "https://example.org/red.svg#a".to_owned(),
        "#missing".to_owned(),
    ] {
        for element in ["image", "use", "feImage"] {
            let content = format!(
                r##"<{element} width="100" height="100" xlink:href="{address}"/>
                <{element} width="100" height="100" href="{address}"/>
                <filter id="f"><feImage xlink:href="{address}"/></filter><rect width="9" height="9" filter="url(#f)"/>"##
            );
            assert_eq!(ink(&drawn(&square(&content))), 0, "{element} {address}");
        }
        let content = format!(
            r#"<style>@import url({address}); rect {{ fill: url({address}#a) }}
            @font-face {{ font-family: X; src: url({address}) }}</style>
            <rect width="100" height="100"/><text y="50" font-family="X" fill="none">a</text>"#
        );
        // What cannot be found leaves the black of no color at all.
        let red = drawn(&square(&content)).pixels().filter(|pixel| pixel.0[0] > 0).count();
        assert_eq!(red, 0, "style {address}");
    }
    let sheet =
        format!(r#"<?xml-stylesheet href="file://{path}"?>{}"#, square(r#"<rect width="9" height="9"/>"#));
    assert_eq!(ink(&drawn(&sheet)), 81);
    let entity = format!(
        r#"<!DOCTYPE svg SYSTEM "file://{path}" [<!ENTITY a SYSTEM "file://{path}">]>{}"#,
        square("<desc>&a;</desc>")
    );
    let refused = run(entity.as_bytes(), json!({ "to": "png" })).expect_err("no such entity");
    assert_eq!(refused.code(), ErrorCode::Corrupt);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn embedded_images_are_rendered() {
    let red = RgbaImage::from_pixel(8, 8, Rgba([255, 0, 0, 255]));
    let opaque = DynamicImage::from(red.clone()).to_rgb8();
    for (mime, bytes) in [
        ("image/png", png(red.clone())),
        (
            "image/jpeg",
            run(&png(opaque.clone()), json!({ "to": "jpeg" })).expect("a JPEG").bytes.expect("bytes"),
        ),
        ("image/webp", coded(red.clone(), ImageFormat::WebP)),
        ("image/gif", coded(red.clone(), ImageFormat::Gif)),
        ("image/bmp", coded(opaque, ImageFormat::Bmp)),
        // Bytes go before names.
        ("text/plain", png(red)),
        ("image/svg+xml", square(r#"<rect width="100" height="100" fill="red"/>"#).into_bytes()),
    ] {
        let href = data(mime, &bytes);
        let picture =
            drawn(&square(&format!(r#"<image x="20" y="20" width="40" height="40" xlink:href="{href}"/>"#)));
        let [red, green, blue, alpha] = picture.get_pixel(40, 40).0;
        assert!(red > 250 && green < 5 && blue < 5 && alpha == 255, "{mime}");
        assert_eq!((picture.get_pixel(10, 40).0[3], picture.get_pixel(70, 40).0[3]), (0, 0), "{mime}");
    }
    let half = RgbaImage::from_pixel(8, 8, Rgba([200, 100, 50, 128]));
    let href = data("image/png", &png(half));
    let picture = drawn(&square(&format!(r#"<image width="100" height="100" xlink:href="{href}"/>"#)));
    let [red, green, blue, alpha] = picture.get_pixel(50, 50).0;
    assert!(red.abs_diff(200) < 3 && green.abs_diff(100) < 3 && blue.abs_diff(50) < 3 && alpha == 128);
}

#[test]
fn nesting_of_svgs_ends_after_one_level() {
    let shown = |inner: String| {
        square(&format!(
            r#"<image width="100" height="100" xlink:href="{}"/>"#,
            data("image/svg+xml", inner.as_bytes())
        ))
    };
    let inner = square(r#"<rect width="100" height="100" fill="red"/>"#);
    assert_eq!(ink(&drawn(&shown(inner.clone()))), 10_000);
    assert_eq!(ink(&drawn(&shown(shown(inner)))), 0);
    // Files are not looked at from inside either.
    let file = r#"<image width="100" height="100" xlink:href="/etc/hostname.png"/>"#;
    assert_eq!(ink(&drawn(&shown(square(file)))), 0);
}

#[test]
fn damaged_embedded_images_are_omitted_and_large_ones_refused() {
    let whole = png(photo(64, 64));
    let cut = data("image/png", &whole[..whole.len() / 2]);
    assert_eq!(ink(&drawn(&square(&format!(r#"<image width="50" height="50" xlink:href="{cut}"/>"#)))), 0);
    let image = |bytes: &[u8]| {
        format!(r#"<image width="50" height="50" xlink:href="{}"/>"#, data("image/png", bytes))
    };
    let limited = |content: &str, pixels: u32| {
        let options = json!({ "to": "png", "limits": { "maxPixels": pixels } });
        run(square(content).as_bytes(), options).map_err(|error| error.code())
    };
    assert!(limited(&image(&whole), 10_000).is_ok());
    // The same picture counts once, others add up.
    assert!(limited(&image(&whole).repeat(9), 10_000).is_ok());
    let others: String = (0..3).map(|index| image(&png(photo(60, 60 + index)))).collect();
    assert_eq!(limited(&others, 10_000).expect_err("three of 3600"), ErrorCode::TooManyPixels);
    assert_eq!(limited(&image(&png(photo(200, 200))), 10_000).expect_err("40000"), ErrorCode::TooManyPixels);
}

/// What a picture would take is told by its header: here there is nothing behind it.
#[test]
fn embedded_images_count_against_the_limits_before_decoding() {
    let mut header = png(RgbaImage::new(1, 1));
    let data_at = header.windows(4).position(|name| name == b"IDAT").expect("pixels");
    header.truncate(data_at + 4);
    for (side, megabytes, refused) in [(6_000_u32, 300, true), (6_000, 1_000, false), (60, 100, false)] {
        header[16..24].copy_from_slice(&[side.to_be_bytes(), side.to_be_bytes()].concat());
        let checksum = crc32fast::hash(&header[12..29]);
        header[29..33].copy_from_slice(&checksum.to_be_bytes());
        let picture = format!(r#"<image width="9" height="9" href="{}"/>"#, data("image/png", &header));
        let limits = json!({ "maxMemoryBytes": megabytes * 1_000_000 });
        let result = run(square(&picture).as_bytes(), json!({ "to": "png", "limits": limits }));
        let refusal = result.err().map(|error| error.code());
        assert_eq!(refusal, refused.then_some(ErrorCode::TooMuchMemory), "{side} in {megabytes} MB");
    }
}

#[test]
fn limits_apply_to_the_output_size() {
    let drawing = svg(r#"width="20000" height="20000""#, r#"<rect width="20000" height="20000"/>"#);
    let refused = run(drawing.as_bytes(), json!({ "to": "png" })).expect_err("400 million pixels");
    assert_eq!(refused.code(), ErrorCode::TooManyPixels);
    assert_eq!(drawn_with(&drawing, json!({ "resize": { "maxWidth": 20 } })).dimensions(), (20, 20));
    let absurd = svg(r#"width="1e30" height="1e38""#, "");
    assert!(run(absurd.as_bytes(), json!({ "to": "png" })).is_err());
    let little = json!({ "to": "png", "limits": { "maxMemoryBytes": 1_000 } });
    assert_eq!(run(square("").as_bytes(), little).expect_err("40000 bytes").code(), ErrorCode::TooMuchMemory);
}

#[test]
fn declared_encodings_are_decoded() {
    let mut latin = br#"<?xml version="1.0" encoding="ISO-8859-1"?>"#.to_vec();
    latin.extend(square("<text y='60' font-size='40'>?</text>").into_bytes());
    let at = latin.windows(3).position(|three| three == b">?<").expect("the letter") + 1;
    latin[at] = 0xe9;
    let output = run(&latin, json!({ "to": "png" })).expect("a drawing");
    let picture = read(bytes_of(&output, &[]), "image/png").to_rgba8();
    assert_eq!(picture, drawn(&square("<text y='60' font-size='40'>é</text>")));
    let mut unnamed = square("<text>?</text>").into_bytes();
    let at = unnamed.iter().position(|&byte| byte == b'?').expect("the letter");
    unnamed[at] = 0xe9;
    assert_eq!(run(&unnamed, json!({ "to": "png" })).expect_err("no UTF-8").code(), ErrorCode::Corrupt);
}
