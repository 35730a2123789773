//! SVGs that require endless work, and damaged ones: each ends soon, with a picture or an error that gives the
//! reason.

#![expect(clippy::disallowed_methods, reason = "that something ends soon cannot be told without a clock")]

use std::thread;
use std::time::{Duration, Instant};

use filepress::ErrorCode;
use filepress_wire::MediaType;
use serde_json::json;

use super::super::seed::seed;
use super::super::support::{photo, png, run, run_as};
use super::{data, square, svg};

/// The share of WebAssembly's stack that a drawing may take: half.
const STACK: usize = 512 << 10;
/// Far more than it takes; a machine may be busy.
const SOON: Duration = Duration::from_secs(120);

/// A drawing of so many elements in each other.
type Nested = Box<dyn Fn(usize) -> String>;

/// Draws at 1000 × 1000 with little stack. The code of the error, where there is one.
fn draw(name: &str, drawing: String) -> Option<ErrorCode> {
    let start = Instant::now();
    let drawing_thread = thread::Builder::new().stack_size(STACK).spawn(move || {
        let options = json!({ "to": "qoi", "resize": { "width": 1_000, "height": 1_000 } });
        run_as(drawing.as_bytes(), Some("image/svg+xml"), options).err().map(|error| error.code())
    });
    let code = drawing_thread.expect("a thread").join().expect("no panic");
    assert!(start.elapsed() < SOON, "{name} took {:?}", start.elapsed());
    code
}

/// Definitions that each name the one before so many times.
fn doubling(steps: usize, times: usize, one: impl Fn(usize, &str) -> String, reference: &str) -> String {
    let chain = |step: usize| {
        one(step, &reference.replace('#', &format!("#a{}", step.wrapping_sub(1))).repeat(times))
    };
    (1..=steps).map(chain).collect()
}

/// Definitions that each name the next.
fn chain(steps: usize, one: impl Fn(usize) -> String) -> String {
    (0..steps).map(one).collect()
}

/// The same in a circle of three.
fn circle(one: impl Fn(usize, usize) -> String) -> String {
    (0..3).map(|step| one(step, (step + 1) % 3)).collect()
}

#[test]
fn exponential_references_are_refused() {
    let uses =
        doubling(9, 10, |step, uses| format!(r#"<g id="a{step}">{uses}</g>"#), r##"<use xlink:href="#"/>"##);
    let masked = r##"<rect width="9" height="9" fill="#fff" mask="url(#)"/>"##.replace("#fff", "white");
    let masks = doubling(8, 6, |step, rects| format!(r#"<mask id="a{step}">{rects}</mask>"#), &masked);
    let patterns = doubling(
        8,
        6,
        |step, rects| format!(r#"<pattern id="a{step}" width="1" height="1">{rects}</pattern>"#),
        r##"<rect width="9" height="9" fill="url(#)"/>"##,
    );
    let inherited = doubling(
        8,
        6,
        |step, rects| format!(r#"<pattern id="a{step}" width="1" height="1">{rects}</pattern>"#),
        r##"<g style="stroke: url('#')"><g><path d="M0 0L9 9"/></g></g>"##,
    );
    let markers = doubling(
        8,
        1,
        |step, paths| format!(r#"<marker id="a{step}">{paths}</marker>"#),
        r##"<path d="M0 0L1 1L2 2L3 3L4 4L5 5L6 6" marker-mid="url(#)"/>"##,
    );
    let clips = doubling(
        8,
        6,
        |step, rects| format!(r#"<clipPath id="a{step}">{rects}</clipPath>"#),
        r##"<rect width="9" height="9" clip-path="url(#)"/>"##,
    );
    let by_class = format!("<style>{}</style>", chain(9, |step| format!(".c{step}{{fill:url(#a{step})}}")))
        + &chain(8, |step| {
            let rects = format!(r#"<rect class="x c{}" width="9" height="9"/>"#, step + 1).repeat(6);
            format!(r#"<pattern id="a{step}" width="1" height="1">{rects}</pattern>"#)
        });
    for (name, content) in [
        ("use", uses + r##"<g id="a0"><rect/></g><use xlink:href="#a9"/>"##),
        ("mask", masks + r##"<mask id="a0"/><rect width="9" height="9" mask="url(#a8)"/>"##),
        ("pattern", patterns + r##"<rect width="9" height="9" fill="url(#a8)"/>"##),
        ("inherited", inherited + r##"<rect width="9" height="9" fill="url(#a8)"/>"##),
        ("marker", markers + r##"<path d="M0 0L9 9L3 3" marker-mid="url(#a8)"/>"##),
        ("clip", clips + r##"<clipPath id="a0"/><rect width="9" height="9" clip-path="url(#a8)"/>"##),
        ("class", by_class + r##"<rect class="c0" width="9" height="9"/>"##),
        (
            "long path",
            format!(
                r#"<path id="p" d="M0 0{}"/>{}"#,
                "L1 1".repeat(20_000),
                r##"<use xlink:href="#p"/>"##.repeat(5_000)
            ),
        ),
    ] {
        assert_eq!(draw(name, square(&content)), Some(ErrorCode::TooMuchMemory), "{name}");
    }
}

#[test]
fn circular_references_are_refused() {
    for (name, content) in [
        ("use", circle(|a, b| format!(r##"<g id="a{a}"><use xlink:href="#a{b}"/></g>"##))),
        ("pattern", circle(|a, b| format!(r#"<pattern id="a{a}"><rect fill="url(#a{b})"/></pattern>"#))),
        ("mask", circle(|a, b| format!(r#"<mask id="a{a}"><rect style="mask:url(#a{b})"/></mask>"#))),
        ("clip", circle(|a, b| format!(r#"<clipPath id="a{a}" clip-path="url(#a{b})"><rect/></clipPath>"#))),
        ("marker", circle(|a, b| format!(r#"<marker id="a{a}"><path marker-end="url(#a{b})"/></marker>"#))),
        ("gradient", circle(|a, b| format!(r##"<linearGradient id="a{a}" xlink:href="#a{b}"/>"##))),
        (
            "filter",
            r##"<filter id="f"><feImage xlink:href="#r"/></filter><g id="r"><rect filter="url(#f)" width="9" height="9"/></g>"##
                .to_owned(),
        ),
        ("itself", r##"<g id="a"><use xlink:href="#a"/></g>"##.to_owned()),
    ] {
        let content = content + r##"<rect width="9" height="9" fill="url(#a0)" mask="url(#a0)" clip-path="url(#a0)"/>"##;
        assert_eq!(draw(name, square(&content)), Some(ErrorCode::Corrupt), "{name}");
    }
}

#[test]
fn nesting_fits_on_the_stack_or_is_refused() {
    let nested = |open: &str, close: &str| {
        let (open, close) = (open.to_owned(), close.to_owned());
        move |depth: usize| open.repeat(depth) + r#"<rect width="9" height="9"/>"# + &close.repeat(depth)
    };
    let shapes: [(&str, Nested); 13] = [
        ("g", Box::new(nested("<g>", "</g>"))),
        ("a", Box::new(nested("<a>", "</a>"))),
        ("opacity", Box::new(nested(r#"<g opacity=".9">"#, "</g>"))),
        ("filter", Box::new(nested(r#"<g filter="blur(1)">"#, "</g>"))),
        ("svg", Box::new(nested(r#"<svg width="50" height="50" viewBox="0 0 50 50">"#, "</svg>"))),
        ("switch", Box::new(nested("<switch>", "</switch>"))),
        (
            "tspan",
            Box::new(|depth| {
                format!("<text y='50'>{}x{}</text>", "<tspan>".repeat(depth), "</tspan>".repeat(depth))
            }),
        ),
        (
            "use",
            Box::new(|depth| {
                chain(depth, |step| format!(r##"<g id="a{step}"><use xlink:href="#a{}"/></g>"##, step + 1))
                    + r##"<use xlink:href="#a0"/>"##
            }),
        ),
        (
            "symbol",
            Box::new(|depth| {
                chain(depth, |step| {
                    format!(
                        r##"<symbol id="a{step}" viewBox="0 0 100 100"><use xlink:href="#a{}"/></symbol>"##,
                        step + 1
                    )
                }) + r##"<use xlink:href="#a0"/>"##
            }),
        ),
        (
            "pattern",
            Box::new(|depth| {
                chain(depth, |step| {
                    format!(
                        r#"<pattern id="a{step}" patternUnits="userSpaceOnUse" width="9" height="9"><rect fill="url(#a{})" width="9" height="9"/></pattern>"#,
                        step + 1
                    )
                }) + r#"<rect fill="url(#a0)" width="9" height="9"/>"#
            }),
        ),
        (
            "mask",
            Box::new(|depth| {
                chain(depth, |step| {
                    format!(
                        r#"<mask id="a{step}"><rect fill="white" mask="url(#a{})" width="9" height="9"/></mask>"#,
                        step + 1
                    )
                }) + r#"<rect mask="url(#a0)" width="9" height="9"/>"#
            }),
        ),
        (
            "clip",
            Box::new(|depth| {
                chain(depth, |step| {
                    format!(
                        r#"<clipPath id="a{step}" clip-path="url(#a{})"><rect width="9" height="9"/></clipPath>"#,
                        step + 1
                    )
                }) + r#"<rect clip-path="url(#a0)" width="9" height="9"/>"#
            }),
        ),
        (
            "marker",
            Box::new(|depth| {
                chain(depth, |step| {
                    format!(
                        r#"<marker id="a{step}" markerWidth="9" markerHeight="9"><path d="M0 0L9 9" stroke="red" marker-start="url(#a{})"/></marker>"#,
                        step + 1
                    )
                }) + r#"<path d="M0 0L9 9" marker-start="url(#a0)"/>"#
            }),
        ),
    ];
    for (name, shape) in shapes {
        // A marker may stand at every corner of the one around it.
        let usual = if name == "marker" { 5 } else { 15 };
        assert_eq!(draw(name, square(&shape(usual))), None, "{name}, {usual} deep, is drawn");
        // Somewhere between it ends, by an error and not by the end of the stack.
        for depth in [30, 45, 60, 90, 120, 180, 240] {
            draw(name, square(&shape(depth)));
        }
        for depth in [1_000, 30_000] {
            assert_eq!(draw(name, square(&shape(depth))), Some(ErrorCode::Corrupt), "{name}, {depth} deep");
        }
    }
}

#[test]
fn quadratic_markup_is_refused() {
    let entities: String =
        chain(10, |step| format!("<!ENTITY e{} \"{}\">", step + 1, format!("&e{step};").repeat(10)));
    let rects = r#"<rect width="1" height="1"/>"#;
    for (name, drawing) in [
        (
            "entities",
            format!("<!DOCTYPE svg [<!ENTITY e0 \"lol\">{entities}]>{}", square("<desc>&e10;</desc>")),
        ),
        (
            "a long entity",
            format!(
                "<!DOCTYPE svg [<!ENTITY a \"{}\">]>{}",
                "x".repeat(50_000),
                square(&"<desc>&a;</desc>".repeat(20_000))
            ),
        ),
        ("nested entities", {
            let deep =
                format!("<!DOCTYPE svg [<!ENTITY a \"{}{}\">]>", "<g>".repeat(5_000), "</g>".repeat(5_000));
            deep + &square("&a;")
        }),
        ("attributes", square(&format!("<rect {}/>", chain(30_000, |index| format!("a{index}='' "))))),
        (
            "namespaces",
            square(&(chain(5_000, |index| format!("<g xmlns:n{index}='u'>")) + &"</g>".repeat(5_000))),
        ),
        (
            "sibling selectors",
            square(&format!(
                "<style>{}{{fill:red}}</style>{}",
                "rect+".repeat(50_000) + "rect",
                rects.repeat(50_000)
            )),
        ),
        (
            "descendant selectors",
            square(&format!(
                "<style>{}q{{fill:red}}</style>{}{}{}",
                "* ".repeat(8),
                "<g>".repeat(60),
                "<rect/>".repeat(200),
                "</g>".repeat(60)
            )),
        ),
        (
            "many rules",
            square(&format!(
                "<style>{}</style>{}",
                chain(20_000, |index| format!(".c{index}{{fill:red}}")),
                r#"<rect class="c1"/>"#.repeat(20_000)
            )),
        ),
        (
            "a chain of gradients",
            square(
                &(chain(20_000, |step| {
                    format!(r##"<linearGradient id="g{step}" xlink:href="#g{}"/>"##, step + 1)
                }) + r#"<rect fill="url(#g0)" width="9" height="9"/>"#),
            ),
        ),
        ("a long text", square(&format!("<text>{}</text>", "Ab cde ".repeat(50_000)))),
        ("letters that no font has", square(&format!("<text>{}</text>", "\u{4e2d}\u{6587} ".repeat(20_000)))),
    ] {
        let code = draw(name, drawing);
        assert!(matches!(code, Some(ErrorCode::Corrupt | ErrorCode::TooMuchMemory)), "{name}: {code:?}");
    }
}

#[test]
fn endless_rendering_work_is_refused() {
    let filter = |primitive: &str| {
        format!(
            r#"<filter id="f" x="-100" y="-100" width="300" height="300">{primitive}</filter><rect filter="url(#f)" width="1000" height="1000"/>"#
        )
    };
    let whole = |attributes: &str| format!(r#"<rect width="1000" height="1000" {attributes}/>"#);
    let zigzag = chain(60_000, |index| format!("L{} {}", index * 7_919 % 1_000, index % 2 * 999));
    let curves = chain(20_000, |index| {
        let at = |prime: usize| index * prime % 1_000;
        format!("C{} {} {} {} {} {}", at(7_919), at(6_101), at(4_723), at(3_571), at(2_357), at(1_301))
    });
    for (name, content) in [
        ("blur", filter(&r#"<feGaussianBlur stdDeviation="30"/>"#.repeat(100))),
        ("turbulence", filter(r#"<feTurbulence numOctaves="1000" baseFrequency=".01"/>"#)),
        ("morphology", filter(r#"<feMorphology radius="500"/>"#)),
        (
            "convolution",
            filter(&format!(r#"<feConvolveMatrix order="200" kernelMatrix="{}"/>"#, "1 ".repeat(40_000))),
        ),
        (
            "shadows",
            format!(
                "{}{}{}",
                r#"<g filter="drop-shadow(3 3 20 red)">"#.repeat(30),
                whole(""),
                "</g>".repeat(30)
            ),
        ),
        ("opaque", whole("").repeat(20_000)),
        ("translucent", whole(r#"fill-opacity=".5""#).repeat(20_000)),
        (
            "gradients",
            format!(
                r#"<linearGradient id="g"><stop/><stop offset="1" stop-color="red"/></linearGradient>{}"#,
                whole(r#"fill="url(#g)""#).repeat(2_000)
            ),
        ),
        (
            "layers",
            format!(
                "{}{}{}",
                r#"<g opacity=".5">"#.repeat(100),
                whole(r#"x="-5000" y="-5000" width="9999" height="9999""#)
                    .replace(r#"width="1000" height="1000""#, ""),
                "</g>".repeat(100)
            ),
        ),
        (
            "clips",
            format!(
                r#"<clipPath id="c">{}</clipPath>{}"#,
                whole(""),
                whole(r#"clip-path="url(#c)""#).repeat(1_000)
            ),
        ),
        (
            "dashes",
            chain(50, |index| {
                format!(
                    r#"<path d="M0 0L1e6 {index}" stroke="red" stroke-width="3" stroke-linecap="round" stroke-dasharray="1 1"/>"#
                )
            }),
        ),
        ("zigzag", format!(r#"<path d="M0 0{zigzag}"/>"#)),
        ("curves", format!(r#"<path d="M0 0{curves}"/>"#)),
        (
            "lines",
            format!(
                r#"<path fill="none" stroke="red" stroke-width="5" stroke-linejoin="round" d="M0 0{curves}"/>"#
            ),
        ),
        (
            "hairlines",
            format!(r#"<path fill="none" stroke="red" stroke-width=".1" d="M0 0{curves}{curves}"/>"#),
        ),
    ] {
        let code = draw(name, square(&format!(r#"<g transform="scale(.1)">{content}</g>"#)));
        assert!(
            matches!(code, Some(ErrorCode::TooManyPixels | ErrorCode::TooMuchMemory)),
            "{name}: {code:?}"
        );
    }
    let pattern = r#"<pattern id="p" patternUnits="userSpaceOnUse" width="30000" height="30000"><rect width="9" height="9"/></pattern>"#;
    let code = draw("a large tile", square(&(pattern.to_owned() + &whole(r#"fill="url(#p)""#))));
    assert_eq!(code, Some(ErrorCode::TooMuchMemory));
}

#[test]
fn extreme_numbers_never_hang_the_engine() {
    let numbers =
        ["1e5", "1e7", "1e9", "1e12", "1e20", "1e30", "1e38", "1e39", "1e400", "-1e9", "1e-30", "NaN"];
    for number in numbers {
        for content in [
            r#"<path d="M0 0L50 50C9 9 N 5 6 900" stroke="red" stroke-width="9"/>"#,
            r#"<path d="M0 0L50 50C9 9 400 5 6 900" stroke="red" stroke-width="N" stroke-linejoin="round" stroke-linecap="round"/>"#,
            r#"<path d="MN NL50 -NA9 N 3 0 1 6 900q N N 3 3" stroke="red" stroke-width="N"/>"#,
            r#"<path d="M0 0L50 50L0 1" stroke="red" fill="none" stroke-width="3" stroke-miterlimit="N"/>"#,
            r#"<circle r="N" stroke="red" stroke-dasharray="N 1 3"/>"#,
            r#"<rect x="-N" y="-N" width="N" height="N" rx="N" fill="red"/>"#,
            r#"<rect width="9" height="9" transform="scale(N)"/>"#,
            r#"<g transform="scale(N)"><g transform="scale(N)"><g transform="scale(N)"><rect width="9" height="9" stroke="red" filter="blur(2)"/></g></g></g>"#,
            r#"<text style="font: N sans-serif; letter-spacing: N">abc</text>"#,
            r#"<g transform="matrix(N 1 1 N 1 1) rotate(N)"><circle r="9" stroke="red"/></g>"#,
            r#"<g transform="skewX(89.99999) translate(N)" filter="blur(N)"><circle r="9"/></g>"#,
            r#"<text font-size="N" stroke="red" x="N" dx="N" letter-spacing="N">abc</text>"#,
            r#"<pattern id="p" width="N" height="N" patternTransform="scale(N)"><rect width="N" height="N"/></pattern><rect width="9" height="9" fill="url(#p)"/>"#,
            r#"<radialGradient id="g" r="N" cx="N" fx="1" fr="N"><stop offset="N"/><stop offset="1" stop-color="red"/></radialGradient><rect width="9" height="9" fill="url(#g)"/>"#,
            r#"<marker id="m" markerWidth="N" markerHeight="N" refX="N" viewBox="0 0 N 1"><rect width="9" height="9"/></marker><path d="M0 0L9 9" stroke-width="N" marker-end="url(#m)"/>"#,
            r#"<filter id="f" x="-N" y="-N" width="N" height="N"><feOffset dx="N"/><feMorphology radius="N"/><feGaussianBlur stdDeviation="N"/><feDropShadow dx="N" stdDeviation="N"/></filter><rect width="9" height="9" filter="url(#f)"/>"#,
            r#"<mask id="m" x="-N" width="N" height="N"><rect width="N" height="N"/></mask><rect width="9" height="9" mask="url(#m)"/>"#,
            r#"<svg width="N" height="N" viewBox="0 0 N 1"><rect width="9" height="9"/></svg>"#,
            r#"<filter id="f"><feTurbulence baseFrequency="N" numOctaves="N" seed="N" stitchTiles="stitch"/><feDisplacementMap scale="N"/><feDiffuseLighting surfaceScale="N"><feSpotLight x="N" z="N"/></feDiffuseLighting><feComponentTransfer><feFuncR type="gamma" exponent="N"/></feComponentTransfer></filter><rect width="9" height="9" filter="url(#f)"/>"#,
        ] {
            let content = content.replace('N', number).replace("--", "");
            draw(&content.clone(), square(&content));
        }
        for attributes in
            [r#"width="N" height="N""#, r#"viewBox="N 0 N N""#, r#"width="N" height="5" viewBox="0 0 1 N""#]
        {
            draw(
                number,
                svg(
                    &attributes.replace('N', number),
                    r#"<rect width="9" height="9"/><circle r="3" stroke="red"/>"#,
                ),
            );
        }
    }
}

#[test]
fn a_large_svg_of_small_shapes_is_rendered() {
    // A map, for example: much of it, and nothing of it twice.
    let houses = chain(20_000, |index| {
        let (x, y) = (index * 7_919 % 1_000, index * 6_101 % 1_000);
        format!(
            "<path d='M{x} {y}l3 1l1 3l-3 -1z' fill='#a{}b' stroke='#333' stroke-width='.3'/>",
            index % 10
        )
    });
    assert_eq!(draw("a map", svg(r#"viewBox="0 0 1000 1000""#, &houses)), None);
    let coast = chain(100_000, |index| format!("l{} {}", index % 3, (index * 7 % 5) as i32 - 2));
    assert_eq!(
        draw("a coast", svg(r#"viewBox="0 0 100000 1000""#, &format!("<path d='M0 500{coast}V900H0'/>"))),
        None
    );
}

/// A drawing with something of everything.
fn everything() -> String {
    let picture = data("image/png", &png(photo(9, 9)));
    format!(
        r##"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY c "red">]><!-- a comment -->{}"##,
        svg(
            r#"width="60" height="60" viewBox="0 0 60 60""#,
            &format!(
                r##"<style>.a > rect {{ fill: url(#g) }} text {{ font: bold 12px serif }}</style>
<defs><linearGradient id="g"><stop offset=".1" stop-color="&c;"/><stop offset="1"/></linearGradient>
<clipPath id="c"><circle cx="30" cy="30" r="20"/></clipPath><mask id="m"><rect width="60" height="60" fill="#fff"/></mask>
<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0h5v5z"/></pattern>
<filter id="f"><feGaussianBlur stdDeviation="2"/><feOffset dx="1"/></filter><symbol id="s" viewBox="0 0 9 9"><path d="M0 0A9 9 0 0 1 9 9z"/></symbol>
<marker id="k" markerWidth="3" markerHeight="3"><rect width="3" height="3"/></marker></defs>
<g class="a" clip-path="url(#c)"><rect width="60" height="60"/></g><use xlink:href="#s" width="20" height="20" mask="url(#m)"/>
<path d="M5 5C9 1 20 30 40 2S9 9 55 55" stroke="url(#g)" stroke-dasharray="3 1" marker-end="url(#k)" fill="url(#p)"/>
<text x="3" y="40" xml:space="preserve">a<tspan dy="3">b&#x20;</tspan></text><image width="9" height="9" xlink:href="{picture}"/>
<rect width="20" height="9" filter="url(#f)" opacity=".5"/><![CDATA[x]]>"##
            )
        )
    )
}

#[test]
fn damaged_svgs_are_refused_or_rendered() {
    let whole = everything();
    let whole = whole.as_bytes();
    assert!(run(whole, json!({ "to": "qoi" })).is_ok());
    let calls = |bytes: &[u8]| {
        let limits = json!({ "maxPixels": 1_000_000, "maxMemoryBytes": 200_000_000 });
        [json!({ "to": "qoi", "limits": limits }), json!({ "limits": limits })].map(|options| {
            let result = run_as(bytes, Some("image/svg+xml"), options);
            usize::from(result.is_err())
        })
    };
    let mut refused = 0;
    for cut in 1..=150 {
        refused += calls(&whole[..whole.len() * cut / 151])[0];
    }
    assert_eq!(refused, 150, "the end of the root element is missing");
    let mut random = seed(0x2545_f491_4f6c_dd1d).max(1);
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 16) as usize % below
    };
    for _ in 0..400 {
        let mut damaged = whole.to_vec();
        for _ in 0..=next(3) {
            let at = next(damaged.len());
            match next(4) {
                0 => damaged[at] ^= 1 << next(8),
                1 => damaged[at] = b"0123456789<>\"'/-#&;:. eE%()"[next(27)],
                2 => {
                    damaged.remove(at);
                }
                _ => {
                    let to = at + next(damaged.len() - at).min(40);
                    let part = damaged[at..to].to_vec();
                    let into = next(damaged.len());
                    damaged.splice(into..into, part);
                }
            }
        }
        calls(&damaged);
    }
    let header = filepress::image::inspect(&whole[..900], MediaType::Svg, &Default::default());
    assert!(header.is_ok(), "a header needs the root element alone");
}
