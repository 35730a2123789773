//! Writes path data (SVG 2, 9.3) in fewer characters: the same segments in the same order, each in absolute or relative
//! form, whichever is shorter. Relative numbers are based on the rounded position, so that errors do not accumulate.

use crate::formats::svg::decode::path::{Segment, segments};
use crate::formats::svg::encode::number::{self, List, Precision};

/// The rewritten path. `None` if it is malformed, or if rounding could change its appearance.
pub(crate) fn shorten(data: &str, precision: Precision) -> Option<String> {
    let segments: Vec<Segment<'_>> = segments(data).collect::<Option<_>>()?;
    match precision {
        Precision::Exact => Some(write_exact(&segments)),
        Precision::Decimals(decimals) => Writer::new(decimals).write(&segments),
    }
}

fn write_exact(segments: &[Segment<'_>]) -> String {
    let mut out = PathText::default();
    for segment in segments {
        out.command(segment.command);
        for number in segment.numbers() {
            out.list.push(&number::without_redundant_digits(number));
        }
    }
    out.list.text
}

/// Path data, without the letters of repeated commands.
#[derive(Default, Clone)]
struct PathText {
    list: List,
    last: Option<char>,
}

impl PathText {
    fn command(&mut self, command: char) {
        let implied = match self.last {
            Some('M') => command == 'L',
            Some('m') => command == 'l',
            Some(last) => command == last && !matches!(command, 'Z' | 'z'),
            None => false,
        };
        if !implied {
            self.list.letter(command);
        }
        self.last = Some(command);
    }
}

/// A point as read, and as written: in multiples of the last decimal.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    exact: [f64; 2],
    rounded: [i64; 2],
}

struct Writer {
    decimals: u8,
    out: String,
    state: PathText,
    at: Place,
    start: Place,
}

/// The shortest chord of an arc that is rounded, in multiples of the last decimal: with a shorter one, the center of the
/// arc depends on the rounding.
const SHORTEST_CHORD: i64 = 1_000;

impl Writer {
    fn new(decimals: u8) -> Self {
        let (at, start) = Default::default();
        Self { decimals, out: String::new(), state: PathText::default(), at, start }
    }

    fn write(mut self, segments: &[Segment<'_>]) -> Option<String> {
        for segment in segments {
            self.segment(segment)?;
        }
        Some(self.out)
    }

    fn segment(&mut self, segment: &Segment<'_>) -> Option<()> {
        let mut values = [0.0; 7];
        for (value, number) in values.iter_mut().zip(segment.numbers()) {
            *value = number.parse().ok()?;
        }
        let command = segment.command.to_ascii_uppercase();
        let is_relative = segment.command.is_ascii_lowercase();
        let origin = if is_relative { self.at.exact } else { [0.0; 2] };
        // Numbers that are not coordinates: two radii, an angle and two flags.
        let free = if command == 'A' { 5 } else { 0 };
        let axes: &[usize] = match command {
            'H' => &[0],
            'V' => &[1],
            _ => &[0, 1],
        };
        let coordinates = values.get_mut(free..segment.numbers().len())?;
        for (index, value) in coordinates.iter_mut().enumerate() {
            *value += origin[axes[index % axes.len()]];
        }
        let before = self.at;
        match command {
            'Z' => self.at = self.start,
            _ => {
                let first = coordinates.len() - axes.len();
                for (&axis, &value) in axes.iter().zip(&coordinates[first..]) {
                    self.at.exact[axis] = value;
                    self.at.rounded[axis] = number::round(value, self.decimals)?;
                }
            }
        }
        if command == 'M' {
            self.start = self.at;
        }
        let chord =
            (self.at.rounded[0] - before.rounded[0]).abs() + (self.at.rounded[1] - before.rounded[1]).abs();
        if command == 'A' && chord < SHORTEST_CHORD && before.exact != self.at.exact {
            return None;
        }

        let (command, written) = match command {
            'L' if self.at.rounded[1] == before.rounded[1] => ('H', [0].as_slice()),
            'L' if self.at.rounded[0] == before.rounded[0] => ('V', [1].as_slice()),
            command => (command, axes),
        };
        let coordinates: Vec<(usize, i64)> = coordinates
            .iter()
            .enumerate()
            .map(|(index, &value)| Some((axes[index % axes.len()], number::round(value, self.decimals)?)))
            .collect::<Option<_>>()?;
        let free = segment.numbers().get(..free)?;
        let coordinates: Vec<(usize, i64)> =
            coordinates.into_iter().filter(|(axis, _)| written.contains(axis)).collect();
        self.state = self.shortest(command, free, &coordinates, before.rounded)?;
        // Moved to the output, so that the next two candidates do not copy it.
        self.out.push_str(&self.state.list.text);
        self.state.list.text.clear();
        Some(())
    }

    /// The shorter of the absolute and the relative form of a command. `free` are its numbers that are not coordinates.
    fn shortest(
        &self,
        command: char,
        free: &[&str],
        coordinates: &[(usize, i64)],
        before: [i64; 2],
    ) -> Option<PathText> {
        let mut shortest: Option<PathText> = None;
        for origin in [[0; 2], before] {
            let mut candidate = self.state.clone();
            let is_absolute = shortest.is_none();
            candidate.command(if is_absolute { command } else { command.to_ascii_lowercase() });
            for number in free {
                candidate.list.push(&number::without_redundant_digits(number));
            }
            for &(axis, value) in coordinates {
                candidate.list.push(&number::write(value - origin[axis], self.decimals));
            }
            if shortest.as_ref().is_none_or(|shortest| candidate.list.text.len() < shortest.list.text.len()) {
                shortest = Some(candidate);
            }
        }
        shortest
    }
}
