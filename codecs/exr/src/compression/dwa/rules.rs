//! How DWA stores channels: by rules on the end of their names, behind the last dot, and on the type of their samples.

use crate::channel::{Channel, Kind};
use crate::error::{DAMAGED, Error, Result};
use crate::input::Input;

/// Writers have some 15. Each takes more memory here than in the file.
const MAX_RULES: usize = 256;

/// How a channel is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    /// By Deflate alone.
    Plain,
    /// By cosines.
    Cosines,
    /// As runs of bytes.
    Runs,
}

/// A channel's scheme, and its place in red, green and blue if it is one of these.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    pub(super) scheme: Scheme,
    color: Option<usize>,
}

impl PartialEq<Scheme> for Stored {
    fn eq(&self, scheme: &Scheme) -> bool {
        self.scheme == *scheme
    }
}

/// A rule, which the last version of the format lists in each block.
struct Rule<'a> {
    ending: &'a [u8],
    /// `None` for all floats.
    kind: Option<Kind>,
    ignores_case: bool,
    stored: Stored,
}

/// The endings that versions without rules know, and their place in red, green and blue.
const COLORS: [(&[u8], Option<usize>); 11] = [
    (b"r", Some(0)),
    (b"red", Some(0)),
    (b"g", Some(1)),
    (b"grn", Some(1)),
    (b"green", Some(1)),
    (b"b", Some(2)),
    (b"blu", Some(2)),
    (b"blue", Some(2)),
    (b"y", None),
    (b"by", None),
    (b"ry", None),
];

/// The scheme of each channel. Reads the rules, which follow the counters from version 2 on.
pub(super) fn schemes(input: &mut Input<'_>, version: u64, channels: &[Channel<'_>]) -> Result<Vec<Stored>> {
    let rules = if version < 2 { usual() } else { listed(input)? };
    let plain = Stored { scheme: Scheme::Plain, color: None };
    let stored = |channel: &Channel<'_>| {
        let ending = &channel.name[layer(channel.name).len()..];
        let applies = |rule: &&Rule<'_>| {
            let is_named = match rule.ignores_case {
                true => ending.eq_ignore_ascii_case(rule.ending),
                false => ending == rule.ending,
            };
            is_named && rule.kind.map_or(channel.kind != Kind::Whole, |kind| kind == channel.kind)
        };
        rules.iter().find(applies).map_or(plain, |rule| rule.stored)
    };
    Ok(channels.iter().map(stored).collect())
}

/// The part of a name up to the last dot.
fn layer(name: &[u8]) -> &[u8] {
    &name[..name.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1)]
}

fn usual() -> Vec<Rule<'static>> {
    let rule = |ending, kind, scheme, color| Rule {
        ending,
        kind,
        ignores_case: true,
        stored: Stored { scheme, color },
    };
    let colors = COLORS.iter().map(|&(ending, color)| rule(ending, None, Scheme::Cosines, color));
    let alpha = [None, Some(Kind::Whole)].map(|kind| rule(b"a", kind, Scheme::Runs, None));
    colors.chain(alpha).collect()
}

fn listed<'a>(input: &mut Input<'a>) -> Result<Vec<Rule<'a>>> {
    // The length counts itself.
    let length = usize::from(input.u16()?).checked_sub(2).ok_or(DAMAGED)?;
    let (mut list, mut rules) = (Input(input.take(length)?), Vec::new());
    while !list.0.is_empty() {
        if rules.len() == MAX_RULES {
            return Err(Error::Unsupported("it has more than 256 rules of DWA"));
        }
        let ending = list.text()?;
        let (facts, kind) = (list.u8()?, list.u8()?);
        let scheme = match facts >> 2 & 3 {
            0 => Scheme::Plain,
            1 => Scheme::Cosines,
            2 => Scheme::Runs,
            _ => return Err(DAMAGED),
        };
        let color = match facts >> 4 {
            0 => None,
            color @ 1..=3 => Some(usize::from(color) - 1),
            _ => return Err(DAMAGED),
        };
        let kind = [Kind::Whole, Kind::Half, Kind::Float].get(usize::from(kind)).ok_or(DAMAGED)?;
        let stored = Stored { scheme, color };
        rules.push(Rule { ending, kind: Some(*kind), ignores_case: facts & 1 != 0, stored });
    }
    Ok(rules)
}

/// The channels by cosines, in the order of their coefficients: red, green and blue of each layer that has all three, then each of
/// the others by itself. Layers come in the order of their first channels, however these are stored.
pub(super) fn groups<'a>(channels: &'a [Channel<'a>], stored: &[Stored]) -> Vec<Vec<&'a Channel<'a>>> {
    let mut groups = Vec::new();
    let mut layers: Vec<(&[u8], [Option<usize>; 3])> = Vec::new();
    for (index, (channel, stored)) in channels.iter().zip(stored).enumerate() {
        let layer = layer(channel.name);
        let place = layers.iter().position(|(known, _)| *known == layer).unwrap_or_else(|| {
            layers.push((layer, [None; 3]));
            layers.len() - 1
        });
        if let (Scheme::Cosines, Some(color)) = (stored.scheme, stored.color) {
            layers[place].1[color] = Some(index);
        }
    }
    let mut is_grouped = vec![false; channels.len()];
    for (_, colors) in layers {
        if let [Some(r), Some(g), Some(b)] = colors {
            groups.push([r, g, b].map(|index| &channels[index]).to_vec());
            [r, g, b].into_iter().for_each(|index| is_grouped[index] = true);
        }
    }
    let rest = (0..channels.len()).filter(|&index| stored[index] == Scheme::Cosines && !is_grouped[index]);
    groups.extend(rest.map(|index| vec![&channels[index]]));
    groups
}
