//! Files that refer to other files, by every means that their formats have.

use filepress_wire::MediaType;
use serde_json::json;

use crate::canary::{SECRET, confined_and_not, plant, tempt};
use crate::tools::{Bench, ffmpeg, object, pdf_of, probe, warnings};

#[tokio::test]
async fn a_playlist_with_a_video_extension_is_refused() {
    for bench in confined_and_not().await {
        play(&bench).await;
    }
}

async fn play(bench: &Bench) {
    let [text, stream, _] = plant(bench);
    for target in [&text, &stream] {
        for (path, protocol) in [
            (target.display().to_string(), ""),
            (target.display().to_string(), "file:"),
            (target.display().to_string(), "concat:"),
            (target.display().to_string(), "subfile,,start,0,end,0,,:"),
        ] {
            let uri = format!("{protocol}{path}");
            let scripts = [
                format!("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{uri}\n#EXT-X-ENDLIST\n"),
                format!("ffconcat version 1.0\nfile '{uri}'\n"),
                format!(
                    "<?xml version=\"1.0\"?><MPD><Period><AdaptationSet><Representation>\
                     <BaseURL>{uri}</BaseURL></Representation></AdaptationSet></Period></MPD>"
                ),
                format!("v=0\no=- 0 0 IN IP4 127.0.0.1\ns={uri}\nm=video 9 RTP/AVP 33\n"),
            ];
            for script in scripts {
                let input = bench.write("script", script);
                for from in [MediaType::Mp4, MediaType::MpegTs, MediaType::Mp3, MediaType::Matroska] {
                    let made = tempt(bench, &input, from, MediaType::Mp3).await;
                    assert!(made.is_none(), "{from} out of a script");
                }
            }
        }
    }
}

/// A QuickTime film of which the pictures are in another file, by a data reference (ISO/IEC 14496-12, 8.7.2).
#[tokio::test]
async fn videos_with_external_references_are_refused() {
    for bench in confined_and_not().await {
        seek_pictures(&bench).await;
    }
}

async fn seek_pictures(bench: &Bench) {
    let [_, stream, _] = plant(bench);
    let film = std::fs::read(bench.video("plain.mov", &["-an", "-c:v", "mpeg4"])).expect("a film");
    let own = b"\0\0\0\x0curl \0\0\0\x01";
    let at = film.windows(own.len()).position(|window| window == own).expect("a data reference");
    // An alias of Mac OS in its place would not fit: the flag that the data are here goes, and with it the data.
    let mut outside = film.clone();
    outside[at + 11] = 0;
    let input = bench.write("outside.mov", &outside);
    tempt(bench, &input, MediaType::QuickTime, MediaType::Mp4).await;
    let location = format!("file://{}\0", stream.display());
    let mut longer = film[..at].to_vec();
    longer.extend((12 + location.len() as u32).to_be_bytes());
    longer.extend(b"url \0\0\0\0");
    longer.extend(location.as_bytes());
    longer.extend(&film[at + own.len()..]);
    let input = bench.write("longer.mov", &longer);
    tempt(bench, &input, MediaType::QuickTime, MediaType::Mp4).await;
}

#[tokio::test]
async fn an_svg_cannot_load_other_files() {
    for bench in confined_and_not().await {
        draw(&bench).await;
    }
}

async fn draw(bench: &Bench) {
    let [text, _, picture] = plant(bench);
    let outputs = bench.tools.outputs(MediaType::Svg);
    let drawings = [
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"64\" \
            height=\"64\"><image xlink:href=\"{0}\" href=\"file://{0}\" width=\"64\" height=\"64\"/></svg>",
            picture.display()
        ),
        format!(
            "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY secret SYSTEM \"file://{}\">]>\
            <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\"><text y=\"20\">&secret;</text></svg>",
            text.display()
        ),
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\">\
            <style>@import url(\"file://{}\");</style><use href=\"{}#a\"/></svg>",
            text.display(),
            text.display()
        ),
        // A thousand million laughs.
        format!(
            "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"ha\">{}]>\
            <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\"><text>&j;</text></svg>",
            ('b'..='j')
                .map(|name| format!(
                    "<!ENTITY {name} \"{}\">",
                    format!("&{};", (name as u8 - 1) as char).repeat(10)
                ))
                .collect::<String>()
        ),
    ];
    if outputs.is_empty() {
        let refusal = bench.tools.plan(MediaType::Svg, Some(MediaType::Png), &object(json!({})));
        assert!(refusal.is_err());
        return;
    }
    for drawing in drawings {
        let input = bench.write("drawing.svg", drawing);
        if let Some(made) = tempt(bench, &input, MediaType::Svg, MediaType::Pnm).await {
            assert!(!made.windows(3).any(|pixel| pixel == [0xfe, 0x01, 0xfe]), "the picture was drawn");
        }
        tempt(bench, &input, MediaType::Svg, MediaType::Pdf).await;
    }
}

#[tokio::test]
async fn a_document_cannot_run_programs_or_read_files() {
    for bench in confined_and_not().await {
        open(&bench).await;
    }
}

async fn open(bench: &Bench) {
    let [text, _, picture] = plant(bench);
    // PostScript that calls itself a PDF further on.
    let script = format!(
        "%!PS\n({}) (r) file 1000 string readstring pop print (/work/stolen) (w) file closefile\n%PDF-1.5\n",
        text.display()
    );
    let input = bench.write("script.pdf", script);
    for to in [MediaType::Pdf, MediaType::Png] {
        assert!(tempt(bench, &input, MediaType::Pdf, to).await.is_none());
    }
    // A stream that says that its bytes are in a file (ISO 32000-1, 7.11), and an action that opens one.
    let objects: Vec<Vec<u8>> = [
        format!("<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F ({}) >> >>", text.display()),
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 64 64] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>"
            .to_owned(),
        "<< /Length 30 >>\nstream\nq 64 0 0 64 0 0 cm /I Do Q     \nendstream".to_owned(),
        format!(
            "<< /Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB \
             /F ({}) /FFilter /FlateDecode /Length 0 >>\nstream\n\nendstream",
            picture.display()
        ),
    ]
    .map(String::into_bytes)
    .into();
    let input = bench.write("outside.pdf", pdf_of(&objects, ""));
    tempt(bench, &input, MediaType::Pdf, MediaType::Pdf).await;
    if let Some(page) = tempt(bench, &input, MediaType::Pdf, MediaType::Pnm).await {
        assert!(!page.windows(3).any(|pixel| pixel == [0xfe, 0x01, 0xfe]), "the picture was painted");
    }
}

#[tokio::test]
async fn subtitles_and_attachments_go_where_the_output_holds_them_and_nowhere_else() {
    let bench = Bench::new().await;
    let text = bench.write("lines.srt", format!("1\n00:00:00,000 --> 00:00:01,000\n{SECRET}\n"));
    let attachment = bench.write("font.ttf", SECRET);
    let film = bench.path("carrier.mkv");
    let plain = bench.video("plain.mkv", &[]);
    let [plain, text, attachment] = [&plain, &text, &attachment].map(|path| path.to_str().expect("a path"));
    ffmpeg(
        &[
            &[
                "-i", plain, "-i", text, "-map", "0", "-map", "1", "-c:v", "copy", "-c:a", "copy", "-c:s",
                "srt",
            ],
            &["-attach", attachment, "-metadata:s:t", "mimetype=application/x-truetype-font"],
        ],
        &film,
    );
    let all = ["video", "audio", "subtitle", "attachment"];
    for (to, kinds, told) in [
        (MediaType::Matroska, &all[..], &[][..]),
        (MediaType::Mp4, &all[..3], &["attachments_dropped"]),
        (MediaType::Webm, &all[..3], &["attachments_dropped"]),
        (MediaType::Avi, &all[..2], &["subtitles_dropped", "attachments_dropped"]),
    ] {
        let made =
            bench.convert(&film, MediaType::Matroska, Some(to), json!({ "crf": 30 })).await.expect("a film");
        assert_eq!(warnings(&made.done), told, "{to}");
        assert_eq!(probe(&made.done.output, "stream=codec_type"), kinds, "{to}");
    }
}
