//! What a vertex of the second tree counts.
//!
//! At a vertex, let `f(x, i)` be the number of tips of colour `i` in component `x`, `s(x)` those of the component and
//! `m(i)` those of the colour, of `n` in all. Two tips of colour `i` in `x`, with two others that differ from
//! them and from each other in colour and component, are
//!
//! ```text
//! Σ C(f(x,i), 2) · ½[ (n − s − m + f)²                          both others: neither in x nor of colour i,
//!                     − Σ over y ≠ x of (s(y) − f(y,i))²        not both in y,
//!                     − Σ over j ≠ i of (m(j) − f(x,j))²        not both of colour j,
//!                     + Σ over y ≠ x, j ≠ i of f(y,j)² ]
//! ```
//!
//! and one of colour `i` and one of colour `j` in `x`, with one of colour `i` and one of a third colour in two
//! other components, are
//!
//! ```text
//! Σ f(x,i) f(x,j) · Σ over y ≠ x of f(y,i) (n − s(x) − s(y) − m(i) + f(x,i) + f(y,i) − m(j) + f(x,j) + f(y,j))
//! ```
//!
//! Both are multiplied out into sums over `x` of what is known of `x` alone, and sums over `i` of `Σ_x f²`, `Σ_x s f` and
//! `Σ_x C(f,2)`; the second also needs `Σ_{x,y} (Σ_i f(x,i) f(y,i))²`. Steps on the way may be beyond 64 bits and
//! wrap around; the results are below 2^64 and therefore right.

use std::num::Wrapping;

type Word = Wrapping<u64>;

fn word(x: u32) -> Word {
    Wrapping(u64::from(x))
}

const ZERO: Word = Wrapping(0);
const TWO: Word = Wrapping(2);

/// `x (x − 1) / 2`
fn pairs(x: u32) -> Word {
    Wrapping(u64::from(x) * u64::from(x).saturating_sub(1) / 2)
}

/// More colours than this are not put into a square table.
const MOST_SQUARED: usize = 1024;

/// Sums over the components of one vertex.
#[derive(Clone, Default)]
pub(super) struct Sums {
    n: Word,
    /// By colour: Σ f², Σ s f and Σ C(f,2).
    by_colour: Vec<[Word; 3]>,
    /// Σ m² over colours, Σ s² over components.
    colours: Word,
    components: Word,
    /// What is known of components alone: of sets cut in the same way, and in another.
    local: Word,
    local_other: Word,
}

impl Sums {
    /// Forgets everything; `sizes` are the tips by colour.
    pub(super) fn begin(&mut self, n: u32, sizes: &[u32]) {
        self.n = word(n);
        self.by_colour.clear();
        self.by_colour.resize(sizes.len(), [ZERO; 3]);
        self.colours = sizes.iter().map(|&m| word(m) * word(m)).fold(ZERO, |a, b| a + b);
        (self.components, self.local, self.local_other) = (ZERO, ZERO, ZERO);
    }

    /// A component, by its colours and their tips.
    pub(super) fn add(&mut self, entries: &[(u32, u32)], sizes: &[u32]) {
        let (mut s, mut own, mut with) = (ZERO, ZERO, ZERO);
        for &(i, f) in entries {
            s += word(f);
            own += word(f) * word(f);
            with += word(f) * word(sizes[i as usize]);
        }
        for &(i, count) in entries {
            let (f, m) = (word(count), word(sizes[i as usize]));
            let (two, away) = (pairs(count), self.n - s - m + f);
            let (others, elsewhere) = (s - f, m - f);
            self.local += two
                * (away * away
                    + others * others
                    + elsewhere * elsewhere
                    + f * f
                    + TWO * (with - own));
            self.local_other += f
                * (others * (elsewhere * away + f * others)
                    + elsewhere * (own - with + f * elsewhere)
                    - f * (own - f * f));
            let [squares, mixed, pairs] = &mut self.by_colour[i as usize];
            *squares += f * f;
            *mixed += s * f;
            *pairs += two;
        }
        self.components += s * s;
    }

    /// Components of colour 0 alone, by the sums of their tips and of the squares of these.
    pub(super) fn add_plain(&mut self, tips: u32, squares: u64, zeros: u32) {
        let two = Wrapping((squares - u64::from(tips)) / 2);
        let (squares, m) = (Wrapping(squares), word(zeros));
        let away = self.n - m;
        self.local += two * (away * away + m * m);
        let sums = &mut self.by_colour[0];
        *sums = [sums[0] + squares, sums[1] + squares, sums[2] + two];
        self.components += squares;
    }

    /// Sets that are cut as in the first tree.
    pub(super) fn same(&self) -> u64 {
        let (mut all, mut two, mut mixed) = (ZERO, ZERO, ZERO);
        for [squares, with, pairs] in &self.by_colour {
            all += squares;
            two += pairs;
            mixed += (with - squares) * pairs;
        }
        let twice = self.local + (all - self.components - self.colours) * two + TWO * mixed;
        twice.0 / 2
    }

    /// Sets that are cut, but in another way. Components are `entries` up to each of `ends`; of those of colour 0
    /// alone the sum of squares is given.
    pub(super) fn other(&self, entries: &[(u32, u32)], ends: &[u32], plain: u64) -> u64 {
        let mut found = self.local_other;
        for [squares, with, _] in &self.by_colour {
            found -= (with - squares) * (with - squares) + squares * squares;
        }
        let colours = self.by_colour.len();
        let products = match colours < ends.len() && colours <= MOST_SQUARED {
            true => by_colours(entries, ends, plain, colours),
            false => by_components(entries, ends, plain, colours),
        };
        (found + products).0
    }
}

/// The components one after the other.
fn rows<'a>(
    entries: &'a [(u32, u32)],
    ends: &'a [u32],
) -> impl Iterator<Item = &'a [(u32, u32)]> + Clone {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| &entries[start as usize..end as usize])
}

/// Σ over i, j of (Σ_x f(x,i) f(x,j))².
fn by_colours(entries: &[(u32, u32)], ends: &[u32], plain: u64, colours: usize) -> Word {
    let mut table = vec![ZERO; colours * colours];
    table[0] = Wrapping(plain);
    for row in rows(entries, ends) {
        for &(i, f) in row {
            let place = &mut table[i as usize * colours..][..colours];
            row.iter().for_each(|&(j, g)| place[j as usize] += word(f) * word(g));
        }
    }
    table.iter().fold(ZERO, |sum, x| sum + x * x)
}

/// The same as Σ over x, y of (Σ_i f(x,i) f(y,i))².
fn by_components(entries: &[(u32, u32)], ends: &[u32], plain: u64, colours: usize) -> Word {
    let mut sum = Wrapping(plain) * Wrapping(plain);
    let mut dense = vec![ZERO; colours];
    for (k, row) in rows(entries, ends).enumerate() {
        row.iter().for_each(|&(i, f)| dense[i as usize] = word(f));
        sum += TWO * dense[0] * dense[0] * Wrapping(plain);
        for (l, other) in rows(entries, ends).enumerate().take(k + 1) {
            let product = other.iter().fold(ZERO, |sum, &(i, f)| sum + word(f) * dense[i as usize]);
            sum += product * product * if l == k { Wrapping(1) } else { TWO };
        }
        row.iter().for_each(|&(i, _)| dense[i as usize] = ZERO);
    }
    sum
}
