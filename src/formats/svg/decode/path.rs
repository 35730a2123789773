//! Path data as a list of segments (SVG 2, 9.3), not normalized.

/// A command and its numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment<'a> {
    /// The letter, in lower case if the numbers are relative.
    pub(crate) command: char,
    numbers: [&'a str; 7],
    count: usize,
}

impl<'a> Segment<'a> {
    /// The numbers as written. The fourth and fifth of an arc are flags.
    pub(crate) fn numbers(&self) -> &[&'a str] {
        &self.numbers[..self.count]
    }
}

/// Iterates over the segments. A syntax error gives `None`, then the end.
pub(crate) fn segments(data: &str) -> impl Iterator<Item = Option<Segment<'_>>> {
    let mut rest = data.trim_start();
    let mut last = None;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let read = segment(rest, last);
        rest = read.map_or("", |(_, rest)| rest.trim_start());
        last = read.map(|(segment, _)| segment.command);
        Some(read.map(|(segment, _)| segment))
    })
}

fn segment(data: &str, last: Option<char>) -> Option<(Segment<'_>, &str)> {
    let first = data.chars().next()?;
    let is_written = first.is_ascii_alphabetic();
    let (command, mut rest) = match (is_written, last) {
        (true, None) if !matches!(first, 'M' | 'm') => return None,
        (true, _) => (first, data.get(1..)?),
        (false, Some('M')) => ('L', data),
        (false, Some('m')) => ('l', data),
        (false, Some('Z' | 'z') | None) => return None,
        (false, Some(last)) => (last, data),
    };
    let mut segment = Segment { command, numbers: [""; 7], count: count(command)? };
    for index in 0..segment.count {
        rest = rest.trim_start();
        if index > 0 || !is_written {
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
        let is_flag = matches!(command, 'A' | 'a') && matches!(index, 3 | 4);
        (segment.numbers[index], rest) = match is_flag {
            true => rest.split_at_checked(1).filter(|(flag, _)| matches!(*flag, "0" | "1"))?,
            false => split_number(rest)?,
        };
    }
    Some((segment, rest))
}

fn count(command: char) -> Option<usize> {
    Some(match command.to_ascii_uppercase() {
        'M' | 'L' | 'T' => 2,
        'H' | 'V' => 1,
        'C' => 6,
        'S' | 'Q' => 4,
        'A' => 7,
        'Z' => 0,
        _ => return None,
    })
}

/// A number at the start of a text (SVG 2, 4.2; with an optional exponent), and the rest.
pub(crate) fn split_number(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut end = digits(whole);
    let mut count = end - whole;
    if bytes.get(end) == Some(&b'.') {
        let decimals = digits(end + 1);
        count += decimals - end - 1;
        end = decimals;
    }
    if count == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    text.split_at_checked(end)
}

/// The distances of the curves' points from the origin. Malformed data ends the iteration.
pub(crate) fn reaches_of_curves(data: &str) -> impl Iterator<Item = f64> {
    let (mut at, mut start) = ([0.0_f64; 2], [0.0; 2]);
    segments(data).map_while(move |segment| {
        let segment = segment?;
        let origin = if segment.command.is_ascii_lowercase() { at } else { [0.0; 2] };
        let command = segment.command.to_ascii_uppercase();
        let mut reach = 0.0_f64;
        let value = |number: &str| number.parse().unwrap_or(f64::MAX);
        match (command, segment.numbers()) {
            ('H', [x]) => at[0] = origin[0] + value(x),
            ('V', [y]) => at[1] = origin[1] + value(y),
            ('Z', _) => at = start,
            (_, numbers) => {
                // Radii of an arc are lengths; the other numbers are points.
                let (radii, points) = numbers.split_at(if command == 'A' { 5 } else { 0 });
                for radius in radii.iter().take(2) {
                    reach = reach.max(value(radius).abs());
                }
                for [x, y] in points.as_chunks().0 {
                    at = [origin[0] + value(x), origin[1] + value(y)];
                    reach = reach.max(at[0].abs()).max(at[1].abs());
                }
            }
        }
        if command == 'M' {
            start = at;
        }
        Some(if matches!(command, 'C' | 'S' | 'Q' | 'T' | 'A') { reach } else { 0.0 })
    })
}
