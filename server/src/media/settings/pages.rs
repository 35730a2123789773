//! The `pages` setting.

/// Page ranges in the requested order, from 1; an open end means the last page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::media) struct Pages(Vec<(u32, Option<u32>)>);

/// The maximum number of ranges, and the maximum length of the text.
const MAX_RANGES: usize = 500;
const MAX_TEXT: usize = 4000;
const MAX_PAGE: u32 = 1_000_000;

impl Pages {
    /// Parses `1-3,5,8-`, or `all`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_TEXT {
            return None;
        }
        if text == "all" {
            return Some(Self(vec![(1, None)]));
        }
        let ranges: Vec<_> = text.split(',').map(|range| parse_range(range.trim())).collect::<Option<_>>()?;
        (ranges.len() <= MAX_RANGES).then_some(Self(ranges))
    }

    /// The first requested page that a document of `count` pages does not have.
    pub(in crate::media) fn beyond(&self, count: u32) -> Option<u32> {
        self.0.iter().flat_map(|(from, to)| [Some(*from), *to]).flatten().find(|page| *page > count)
    }

    /// The number of pages that are selected in a document of `count` pages.
    pub(in crate::media) fn count(&self, count: u32) -> u64 {
        let length =
            |(from, to): &(u32, Option<u32>)| u64::from((to.unwrap_or(count) + 1).saturating_sub(*from));
        self.0.iter().map(length).sum()
    }

    /// The selected page numbers in a document of `count` pages, in the requested order; may include a page beyond the end.
    pub(in crate::media) fn numbers(&self, count: u32) -> Vec<u32> {
        let range = |(from, to): &(u32, Option<u32>)| *from..=to.unwrap_or(count).max(*from);
        self.0.iter().flat_map(range).collect()
    }

    /// In the syntax of qpdf: `1-3,5,8-z`.
    pub(in crate::media) fn for_qpdf(&self) -> String {
        let range = |(from, to): &(u32, Option<u32>)| match to {
            Some(to) if to == from => from.to_string(),
            Some(to) => format!("{from}-{to}"),
            None => format!("{from}-z"),
        };
        self.0.iter().map(range).collect::<Vec<_>>().join(",")
    }
}

fn parse_range(range: &str) -> Option<(u32, Option<u32>)> {
    let Some((from, to)) = range.split_once('-') else {
        let page = parse_page(range)?;
        return Some((page, Some(page)));
    };
    let from = parse_page(from.trim())?;
    match to.trim() {
        "" => Some((from, None)),
        to => parse_page(to).filter(|to| *to >= from).map(|to| (from, Some(to))),
    }
}

fn parse_page(page: &str) -> Option<u32> {
    let digits = !page.is_empty() && page.bytes().all(|byte| byte.is_ascii_digit());
    page.parse().ok().filter(|page| digits && (1..=MAX_PAGE).contains(page))
}
