//! The near-optimal parse: all matches of a segment are found once; blocks are divided by what that saves; then each block is
//! parsed by a shortest path for the costs of the parse before, until it becomes no shorter.

mod match_cache;
mod path;

use crate::bit_writer::BitWriter;
use crate::block::Code;
use crate::block_split;
use crate::cost::Costs;
use crate::histogram::Histogram;
use crate::match_finder::View;
use crate::match_finder::binary_tree::Tree;
use crate::symbols::Token;
use match_cache::MatchCache;
use path::Path;

/// What a level does.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// At most so many places are compared for each match.
    pub(crate) depth: u32,
    /// The most passes over a block.
    pub(crate) passes: usize,
    /// Blocks have at least so many tokens, and are divided so often.
    pub(crate) step: usize,
    pub(crate) divisions: usize,
    /// A pass that makes a block shorter by less than 1 / 2 to the power of this is the last; with `exact`, the fifth in a row is.
    pub(crate) patience: u32,
    /// Blocks are compared by their exact size, and headers are shortened by flattened codes. Each segment starts without costs;
    /// otherwise it starts from those of the segment before, which saves a pass.
    pub(crate) exact: bool,
}

pub(crate) struct Optimal {
    settings: Settings,
    tree: Tree,
    cache: MatchCache,
    path: Path,
    /// The costs of the segment before.
    known: Option<Costs>,
}

/// A block as it will be written.
struct Parsed {
    tokens: Vec<Token>,
    code: Code,
}

impl Optimal {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, tree: Tree::new(), cache: MatchCache::default(), path: Path::default(), known: None }
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
        let end = self.cache.fill(&mut self.tree, self.settings.depth, view, start, end);
        let data = &view.data[start..end];
        let mut tokens = Vec::new();
        let (first, saved) = match self.known.take() {
            Some(known) => (known, 1),
            None => (Costs::first(data), 0),
        };
        self.path.find(&self.cache, &first, data, 0, data.len(), &mut tokens);
        let mut blocks: Vec<Parsed> = Vec::new();
        for division in 0..self.settings.divisions {
            let passes =
                if division + 1 == self.settings.divisions { self.settings.passes - saved } else { 2 };
            blocks.clear();
            let ends = block_split::blocks(&tokens, self.settings.step, self.settings.exact);
            let (mut first, mut from) = (0, 0);
            for last in ends {
                let part = &tokens[first..last];
                let to = from + part.iter().map(|token| token.size()).sum::<usize>();
                blocks.push(self.parse(part, data, from, to, passes));
                (first, from) = (last, to);
            }
            if division + 1 < self.settings.divisions {
                tokens.clear();
                blocks.iter().for_each(|block| tokens.extend_from_slice(&block.tokens));
            }
        }
        if !self.settings.exact {
            self.known = blocks.last().map(|block| Costs::of(&Histogram::of(&block.tokens).ended()));
        }
        let (count, mut from) = (blocks.len(), 0);
        for (at, block) in blocks.into_iter().enumerate() {
            let to = from + block.tokens.iter().map(|token| token.size()).sum::<usize>();
            let ends = is_last && end == view.data.len() && at + 1 == count;
            block.code.write(&block.tokens, &data[from..to], ends, out);
            from = to;
        }
        end
    }

    /// Parses the bytes from `from` to `to`, starting from the costs of these tokens.
    fn parse(&mut self, first: &[Token], data: &[u8], from: usize, to: usize, passes: usize) -> Parsed {
        let mut histogram = Histogram::of(first).ended();
        let mut best = Parsed { tokens: first.to_vec(), code: self.code_for(&histogram) };
        let mut tokens = Vec::with_capacity(first.len());
        let mut stalled = 0;
        for pass in 0..passes {
            let costs = match pass % 4 {
                3 if self.settings.exact => best.code.costs(),
                _ => Costs::of(&histogram),
            };
            self.path.find(&self.cache, &costs, data, from, to, &mut tokens);
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

    fn code_for(&self, histogram: &Histogram) -> Code {
        if self.settings.exact { Code::thorough(histogram) } else { Code::new(histogram) }
    }
}
