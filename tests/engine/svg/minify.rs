//! Minified SVGs render identically in fewer bytes, and keep everything that might be used.

use filepress::image::Output;
use serde_json::{Value, json};

use super::super::support::{bytes_of, run};
use super::{drawn_with, square, svg};

fn shortened(drawing: &str, options: Value) -> (String, Output) {
    let output = run(drawing.as_bytes(), options).expect("a result");
    let bytes = bytes_of(&output, drawing.as_bytes()).to_vec();
    (String::from_utf8(bytes).expect("text"), output)
}

fn short(drawing: &str) -> String {
    shortened(drawing, json!({})).0
}

/// Drawings of all sorts, each with what has to survive.
fn drawings() -> Vec<(&'static str, String, Vec<&'static str>)> {
    let square = |content: &str| square(&format!("\n  {content}\n"));
    vec![
        (
            "gradients",
            square(
                r##"<defs>
    <linearGradient id="a" x1="0%" y1="0%"><stop offset="0" stop-color="#ff0000" /><stop offset="1" stop-color="#0000FF"/></linearGradient>
    <radialGradient id="b" xlink:href="#a" fx=".3"/>
  </defs>
  <rect x="5.000" width="40.0" height="90" fill="url(#a)"/>
  <circle cx="70" cy="50" r="25" fill="url(#b)"/>"##,
            ),
            vec!["url(#a)", "url(#b)"],
        ),
        (
            "clip paths and masks",
            square(
                r##"<clipPath id="c"><path d="M 10 10 L 90 10 L 50 90 Z"/></clipPath>
  <mask id="m"><rect width="100" height="100" fill="white"/><circle cx="50" cy="40" r="10.50"/></mask>
  <g clip-path="url(#c)"><rect width="100" height="100" fill="teal" mask="url(#m)"/></g>"##,
            ),
            vec![],
        ),
        (
            "text",
            square(
                r#"<text x="5" y="30" font-size="14">one <tspan font-weight="bold">two</tspan>  three
    <tspan x="5" dy="20">four</tspan></text>
  <text x="5" y="80" xml:space="preserve">  a   b  </text>"#,
            ),
            vec!["one <tspan", "</tspan>  three\n", "  a   b  "],
        ),
        (
            "style sheets",
            square(
                r##"<style type="text/css">
    /* a comment */
    .a { fill : #336699; stroke: black }
    g > .b , .c   { fill: url("#g"); }
    text { font-family: "A  B" }
    @font-face { font-family: X; src: URL(a;  b/*c*/d.woff) }
  </style>
  <g> <rect class="a" width="40" height="40"/> <rect class="b" x="50" width="40" height="40"/> </g>
  <circle class="c" cx="50" cy="70" r="20"/><linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient>"##,
            ),
            vec![r##"url("#g")"##, r#""A  B""#, "g > .b", "URL(a;  b/*c*/d.woff)"],
        ),
        (
            "a style sheet as data",
            square("<style><![CDATA[\n .a { fill: lime }\n]]></style><rect class='a' width='50' height='50'/>"),
            vec![".a{fill: lime}"],
        ),
        (
            "symbols",
            square(
                r##"<symbol id="s" viewBox="0 0 1000 1000"><path d="M 0.5 0.5 l 100.25 900.125 l 300 -100 z"/></symbol>
  <use xlink:href="#s" width="50" height="50"/><use href="#s" x="50" width="50" height="50" fill="red"/>"##,
            ),
            vec!["xlink:href=\"#s\"", "href=\"#s\""],
        ),
        (
            "filters",
            square(
                r#"<filter id="f" x="-.5" width="2"><feGaussianBlur in="SourceAlpha" stdDeviation="3" result="b"/>
    <feOffset dx="4" dy="4"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>
  <rect x="20" y="20" width="50" height="50" fill="orange" filter="url(#f)"/>"#,
            ),
            vec!["feMergeNode", "stdDeviation=\"3\""],
        ),
        (
            "animations",
            square(
                r#"<rect width="10" height="10">
    <animate attributeName="x" values="0;50;0" dur="2s" repeatCount="indefinite"/>
    <set attributeName="fill" to="red" begin="1s"/>
  </rect>
  <path d="M 0.0001 0.0001 L 50.00001 50"><animate attributeName="d" from="M 0 0 L 9 9" to="M 0 0 L 8 8"/></path>"#,
            ),
            vec!["<animate ", "values=\"0;50;0\"", "repeatCount=\"indefinite\"", "<set ", ".0001", "from=\"M 0 0 L 9 9\""],
        ),
        (
            "foreign objects",
            square(
                r#"<switch><foreignObject width="90" height="50"><p xmlns="http://www.w3.org/1999/xhtml">one <b>two</b> <i>three</i></p></foreignObject>
    <rect width="90" height="50"/></switch>"#,
            ),
            vec!["one <b>two</b> <i>three</i>"],
        ),
        (
            "scripts",
            square(
                "<script>\n  if (a < 1 &amp;&amp; b) { go() }\n</script>\n  <rect id=\"r\" onclick=\"go( 1 )\" width=\"50\" height=\"50\"/>",
            )
            .replace("a < 1", "a"),
            vec!["\n  if (a &amp;&amp; b) { go() }\n", "onclick=\"go( 1 )\"", "id=\"r\""],
        ),
        (
            "entities",
            format!(
                "<!DOCTYPE svg [\n <!ENTITY red \"#ff0000\">\n]>\n{}",
                square("<rect width=\"50\" height=\"50\" fill=\"&red;\"/>")
            ),
            vec!["<!ENTITY red", "&red;"],
        ),
        (
            "paths of every command",
            square(
                r#"<path fill="none" stroke="black" d="M 10.123456 10.5 L 20.0 , 10.5 H 30 V 20 h -5.50 v 5 l -3 -3
    C 10 30 20 40 30 50 S 50 60 60 50 c 1.5,2.5 3.5,4.5 5.5,6.5 s 1 2 3 4 Q 70 80 80 70 T 90 60 q 1 1 2 2 t 3 3
    A 10 12.5 30 0 1 50 90 a 5 5 0 1 0 10 0 a5 5 0 01-10 0 z m 5 5 10 10 1e1 -1E1 z M5-5L.5.5-3-3"/>
  <polygon points="10.0,80 , 20,90.50 30 80" fill="red"/><polyline points="1e1 2e1 30 40" stroke="blue"/>"#,
            ),
            vec![],
        ),
        (
            "transformations",
            square(
                r#"<g transform=" translate( 10 , 10 )
      scale( 20 ) "><path d="M 0.123456 0.1 L 3.987654 0.5 L 2.5 3.999999 Z"/>
      <g transform="matrix(.1 0 0 .1 1 1) rotate(10)"><rect x="1.23456" width="9.87654" height="10"/></g></g>"#,
            ),
            vec![],
        ),
        (
            "metadata",
            svg(
                r#"xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  width="100" height="100" version="1.1" sodipodi:docname="secret.svg" inkscape:export-filename="/home/me/secret.png""#,
                r#"<!-- by me -->
  <title>A title</title><desc>What it shows</desc>
  <metadata><rdf:RDF><dc:creator>me</dc:creator></rdf:RDF></metadata>
  <sodipodi:namedview inkscape:zoom="2"><inkscape:grid/></sodipodi:namedview>
  <g inkscape:label="layer" inkscape:groupmode="layer" style="display:inline;-inkscape-stroke:none; fill:#00FF00 ;"><rect width="50" height="50"/></g>"#,
            ),
            vec!["<title>A title</title>", "<desc>What it shows</desc>"],
        ),
        (
            "Illustrator's wrapping",
            format!(
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- Generator: Adobe Illustrator -->\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\" [\n\t<!ENTITY ns_extend \"http://ns.adobe.com/Extensibility/1.0/\">\n\t<!ENTITY ns_ai \"http://ns.adobe.com/AdobeIllustrator/10.0/\">\n]>\n{}",
                svg(
                    r#"xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" width="100px" height="100px" viewBox="0 0 100 100" enable-background="new 0 0 100 100""#,
                    "\n<switch>\n<g i:extraneous=\"self\"><path fill=\"#AABBCC\" d=\"M50,50L90,90V10z\"/></g>\n</switch>\n<i:pgf id=\"x\">eJzsvWl</i:pgf>\n"
                )
            ),
            vec!["<switch>"],
        ),
        (
            "a prefix for everything",
            "<s:svg xmlns:s='http://www.w3.org/2000/svg' width='100' height='100'>\n <s:metadata>me</s:metadata>\n <s:rect width='50.0' height='50'></s:rect>\n</s:svg>"
                .to_owned(),
            vec!["<s:rect"],
        ),
    ]
}

#[test]
fn minified_svgs_render_identically() {
    let drawings = drawings();
    assert_eq!(drawings.len(), 16);
    for (name, drawing, kept) in drawings {
        let (short, output) = shortened(&drawing, json!({}));
        assert!(short.len() < drawing.len(), "{name}: {} → {}", drawing.len(), short.len());
        assert!(!output.report.kept_original, "{name}");
        assert_eq!(output.report.media.as_str(), "image/svg+xml");
        for part in kept {
            assert!(short.contains(part), "{name} has lost {part}:\n{short}");
        }
        for width in [100, 333] {
            let at = json!({ "resize": { "width": width } });
            let (before, after) = (drawn_with(&drawing, at.clone()), drawn_with(&short, at));
            let off: Vec<u8> = before.iter().zip(after.iter()).map(|(a, b)| a.abs_diff(*b)).collect();
            // Edges are drawn by sixteen points a pixel, of which a thousandth of a pixel moves some to the other side.
            let moved = off.iter().filter(|&&off| off > 3).count();
            assert!(moved <= off.len() / 1_000, "{name}, {width} wide: {moved}\n{short}");
            assert!(off.iter().all(|&off| off <= 48), "{name}, {width} wide\n{short}");
            assert!(before.pixels().any(|pixel| pixel.0[3] > 0), "{name} draws something");
        }
        assert_eq!(self::short(&short), short, "{name} cannot become shorter again");
    }
}

#[test]
fn numbers_and_paths_are_shortest() {
    let drawing = square(
        r##"<g>
  <path d="M 10.0000 10.0000 L 20.0004 10.0000 L 20.0004 30.50001 L 10 30.5 Z" fill="#FFFFFF"></path>
</g>"##,
    );
    let expected = square(r##"<g><path d="M10 10H20V30.5H10Z" fill="#FFF"/></g>"##);
    let tidy = |text: &str| text.replace(r#" xmlns:xlink="http://www.w3.org/1999/xlink""#, "");
    assert_eq!(short(&drawing).replace("  ", " "), tidy(&expected).replace("  ", " "));
}

#[test]
fn rounding_errors_do_not_accumulate() {
    let steps = "l.00049 .00049".repeat(100_000);
    let drawing = square(&format!(r#"<path d="M0 0{steps}L0 49"/><rect width="1" height="1" y="99"/>"#));
    let short = short(&drawing);
    assert!(short.len() < drawing.len());
    let (before, after) = (drawn_with(&drawing, json!({})), drawn_with(&short, json!({})));
    let most = before.iter().zip(after.iter()).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(most <= Some(3), "{most:?}");
    assert!(after.get_pixel(20, 30).0[3] > 0);
}

#[test]
fn an_almost_closed_circle_keeps_its_shape() {
    let drawing = square(r#"<path d="M 50.00000 10 A 40 40 0 1 1 49.9999 10 Z" fill="green"/>"#);
    let after = drawn_with(&short(&drawing), json!({}));
    assert_eq!(after.get_pixel(50, 85).0, [0, 128, 0, 255]);
}

#[test]
fn metadata_is_removed_unless_kept() {
    let drawings = drawings();
    let drawing = &drawings.iter().find(|(name, ..)| *name == "metadata").expect("it is there").1;
    let secrets = ["by me", "secret", "creator", "namedview", "inkscape", "sodipodi", "<metadata"];
    for policy in ["safe", "strip"] {
        let short = shortened(drawing, json!({ "metadata": policy })).0;
        for secret in secrets {
            assert!(!short.contains(secret), "{policy} keeps {secret}:\n{short}");
        }
    }
    let (kept, output) = shortened(drawing, json!({ "metadata": "keep" }));
    for secret in secrets {
        assert!(kept.contains(secret), "keep loses {secret}:\n{kept}");
    }
    assert!(kept.len() < drawing.len() && !output.report.kept_original);
}

#[test]
fn minimal_svgs_are_returned_unchanged() {
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M1 1h3v3z'/></svg>";
    let (same, output) = shortened(drawing, json!({}));
    assert!(output.report.kept_original && output.bytes.is_none());
    assert_eq!(same, drawing);
}

#[test]
fn images_are_not_converted_to_svg() {
    let picture = super::png(super::photo(8, 8));
    let refused = run(&picture, json!({ "to": "svg" })).expect_err("no way from pixels to shapes");
    assert_eq!(refused.code(), filepress::ErrorCode::UnsupportedOutput);
}

#[test]
fn malformed_markup_is_refused() {
    for tag in ["rect h(eight='9'", "rect x 'y' width='1'", "rect width='1' width='2'", "a:rect"] {
        let drawing = square(&format!("<!-- as long as it likes to be -->  <{tag}/>"));
        for to in ["svg", "png"] {
            let refused = run(drawing.as_bytes(), json!({ "to": to })).expect_err(tag);
            assert_eq!(refused.code(), filepress::ErrorCode::Corrupt, "{tag}, {to}: {refused}");
        }
    }
}
