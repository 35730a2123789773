//! The near-optimal parse: all matches of a segment are found once; blocks are divided by what that saves; then each block is
//! parsed by a shortest path for the costs of the parse before, until it becomes no shorter. Where costs settle depends on those that
//! the first parse assumes, so that the slow level compares several assumptions.

mod exact_path;
mod match_cache;
mod path;

use crate::bit_writer::BitWriter;
use crate::block::Code;
use crate::block_split;
use crate::cost::{Costs, FirstPrices, Price};
use crate::histogram::Histogram;
use crate::match_finder::View;
use crate::match_finder::binary_tree::Tree;
use crate::symbols::Token;
use exact_path::ExactPath;
use match_cache::{Limits, MatchCache};
use path::Path;

/// What a level does.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// At most so many places are compared for each match.
    pub(crate) depth: u32,
    /// No longer match is searched than one of this length.
    pub(crate) nice: usize,
    /// So many bytes are parsed at a time, once, by the costs of those before. Otherwise whole segments are.
    pub(crate) chunk: Option<usize>,
    /// The most passes over a block.
    pub(crate) passes: usize,
    /// Blocks have at least so many tokens, and are divided so often.
    pub(crate) step: usize,
    pub(crate) divisions: usize,
    /// A pass that makes a block shorter by less than 1 / 2 to the power of this is the last; with `exact`, the fifth in a row is.
    pub(crate) patience: u32,
    /// Blocks are compared by their exact size, headers are shortened by flattened codes, and every length of a match is tried. Each
    /// segment starts from each of [`STARTS`]; otherwise it starts from the costs of the segment before, which saves a pass.
    pub(crate) exact: bool,
}

/// What is assumed before the first parse of a stream.
const START: FirstPrices = FirstPrices { literal: 1, length: 3, distance: 4 };
/// The assumptions that are compared where bytes count more than time.
const STARTS: [FirstPrices; 5] = [
    START,
    FirstPrices { literal: 0, ..START },
    FirstPrices { literal: 2, ..START },
    FirstPrices { length: 1, ..START },
    FirstPrices { length: 6, ..START },
];
/// Passes over a block where assumptions are compared.
const PASSES_OF_A_START: usize = 3;
/// The most matches of a segment, and with `exact`: 4 and 16 MiB.
const MATCHES: usize = 1 << 20;
const MATCHES_EXACT: usize = 1 << 22;

/// What symbols cost.
enum Model<'a> {
    First(FirstPrices),
    Counts(&'a Histogram),
    Code(&'a Code),
}

impl Model<'_> {
    fn costs<P: Price>(&self, data: &[u8]) -> Costs<P> {
        match self {
            Self::First(prices) => Costs::first(data, *prices),
            Self::Counts(histogram) => Costs::of(histogram),
            Self::Code(code) => code.costs(),
        }
    }
}

pub(crate) struct Optimal {
    settings: Settings,
    tree: Tree,
    cache: MatchCache,
    path: Path,
    exact_path: ExactPath,
    /// The symbols of the last block of the segment before.
    known: Option<Histogram>,
}

/// A block as it will be written.
struct Parsed {
    tokens: Vec<Token>,
    code: Code,
}

impl Optimal {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings,
            tree: Tree::new(settings.nice),
            cache: MatchCache::default(),
            path: Path::default(),
            exact_path: ExactPath::default(),
            known: None,
        }
    }

    /// Writes blocks for the bytes from `start` to `end`, or fewer if there are very many matches. Returns where they end.
    pub(crate) fn code(
        &mut self,
        view: View<'_>,
        start: usize,
        end: usize,
        is_last: bool,
        out: &mut BitWriter,
    ) -> usize {
        let (end, blocks) = match self.settings.chunk {
            Some(chunk) => (end, self.in_chunks(view, start, end, chunk)),
            None => {
                let end = self.search(view, start, end);
                let data = &view.data[start..end];
                (end, if self.settings.exact { self.best_start(data) } else { self.continued(data) })
            }
        };
        let data = &view.data[start..end];
        let (count, mut from) = (blocks.len(), 0);
        for (at, block) in blocks.into_iter().enumerate() {
            let to = from + size(&block.tokens);
            let ends = is_last && end == view.data.len() && at + 1 == count;
            block.code.write(&block.tokens, &data[from..to], ends, out);
            from = to;
        }
        end
    }

    /// Finds the matches from `start` on. Returns where they end.
    fn search(&mut self, view: View<'_>, start: usize, end: usize) -> usize {
        let Settings { depth, exact, .. } = self.settings;
        let matches = if exact { MATCHES_EXACT } else { MATCHES };
        self.cache.fill(&mut self.tree, Limits { depth, matches, listed: !exact }, view, start, end)
    }

    /// The blocks of the bytes from `start` to `end`, parsed chunk by chunk.
    fn in_chunks(&mut self, view: View<'_>, start: usize, end: usize, chunk: usize) -> Vec<Parsed> {
        let (mut all, mut tokens) = (Vec::new(), Vec::new());
        let mut at = start;
        while at < end {
            let to = self.search(view, at, end.min(at + chunk));
            let data = &view.data[at..to];
            let mut known = match self.known.take() {
                Some(known) => known,
                None => {
                    self.find(&Model::First(START), data, 0, data.len(), &mut tokens);
                    Histogram::of(&tokens).ended()
                }
            };
            self.find(&Model::Counts(&known), data, 0, data.len(), &mut tokens);
            known.halve();
            known.merge(&Histogram::of(&tokens).ended());
            self.known = Some(known);
            all.extend_from_slice(&tokens);
            at = to;
        }
        self.blocks(all, &view.data[start..end], 1, 0)
    }

    /// The blocks of a segment that starts from the costs of the one before.
    fn continued(&mut self, data: &[u8]) -> Vec<Parsed> {
        let Settings { passes, divisions, .. } = self.settings;
        let known = self.known.take();
        let (model, saved) = match &known {
            Some(known) => (Model::Counts(known), 1),
            None => (Model::First(START), 0),
        };
        let mut tokens = Vec::new();
        self.find(&model, data, 0, data.len(), &mut tokens);
        let blocks = self.blocks(tokens, data, divisions, passes - saved);
        self.known = blocks.last().map(|block| Histogram::of(&block.tokens).ended());
        blocks
    }

    /// The blocks of a segment from the best of several starts.
    fn best_start(&mut self, data: &[u8]) -> Vec<Parsed> {
        let Settings { passes, divisions, .. } = self.settings;
        let bits = |blocks: &[Parsed]| blocks.iter().map(|block| block.code.bits()).sum::<u64>();
        let mut best: Option<Vec<Parsed>> = None;
        for prices in STARTS {
            let mut tokens = Vec::new();
            self.find(&Model::First(prices), data, 0, data.len(), &mut tokens);
            let blocks = self.blocks(tokens, data, 1, PASSES_OF_A_START);
            if best.as_ref().is_none_or(|best| bits(&blocks) < bits(best)) {
                best = Some(blocks);
            }
        }
        let best = best.unwrap_or_default();
        let again = self.blocks(joined(&best), data, divisions, passes);
        if bits(&again) < bits(&best) { again } else { best }
    }

    /// Divides a segment into blocks, so many times, and parses each.
    fn blocks(
        &mut self,
        mut tokens: Vec<Token>,
        data: &[u8],
        divisions: usize,
        passes: usize,
    ) -> Vec<Parsed> {
        let mut blocks = Vec::new();
        for left in (0..divisions).rev() {
            let passes = if left == 0 { passes } else { 2 };
            blocks.clear();
            let ends = block_split::blocks(&tokens, self.settings.step, self.settings.exact);
            let (mut first, mut from) = (0, 0);
            for last in ends {
                let part = &tokens[first..last];
                let to = from + size(part);
                blocks.push(self.parse(part, data, from, to, passes));
                (first, from) = (last, to);
            }
            if left > 0 {
                tokens = joined(&blocks);
            }
        }
        blocks
    }

    /// Parses the bytes from `from` to `to`, starting from the costs of these tokens.
    fn parse(&mut self, first: &[Token], data: &[u8], from: usize, to: usize, passes: usize) -> Parsed {
        let mut histogram = Histogram::of(first).ended();
        let mut best = Parsed { tokens: first.to_vec(), code: self.code_for(&histogram) };
        let mut tokens = Vec::with_capacity(first.len());
        let mut stalled = 0;
        for pass in 0..passes {
            let model = match pass % 4 {
                3 if self.settings.exact => Model::Code(&best.code),
                _ => Model::Counts(&histogram),
            };
            self.find(&model, data, from, to, &mut tokens);
            let found = Histogram::of(&tokens).ended();
            let is_settled = found == histogram;
            histogram = found;
            let code = self.code_for(&histogram);
            let (bits, least) = (code.bits(), best.code.bits());
            let is_little = bits + (least >> self.settings.patience) >= least;
            if bits < least {
                best.code = code;
                std::mem::swap(&mut best.tokens, &mut tokens);
            }
            stalled = if is_little { stalled + 1 } else { 0 };
            if is_settled || stalled > usize::from(self.settings.exact) * 4 {
                break;
            }
        }
        best
    }

    /// The cheapest tokens for the bytes from `from` to `to`.
    fn find(&mut self, model: &Model<'_>, data: &[u8], from: usize, to: usize, tokens: &mut Vec<Token>) {
        match self.settings.exact {
            true => self.exact_path.find(&self.cache, &model.costs(data), data, from, to, tokens),
            false => self.path.find(&self.cache, &model.costs(data), data, from, to, tokens),
        }
    }

    fn code_for(&self, histogram: &Histogram) -> Code {
        if self.settings.exact { Code::thorough(histogram) } else { Code::new(histogram) }
    }
}

/// The bytes that some tokens stand for.
fn size(tokens: &[Token]) -> usize {
    tokens.iter().map(|token| token.size()).sum()
}

fn joined(blocks: &[Parsed]) -> Vec<Token> {
    blocks.iter().flat_map(|block| &block.tokens).copied().collect()
}
