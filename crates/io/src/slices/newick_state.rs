//! Where a scan of a Newick text is, without what came before.

/// Where a scan is: in plain text, a label in quotes, or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewickState {
    /// Whether a label has begun since the last mark; then quotes are part of it.
    begun: bool,
    /// In a label in quotes; after a quote that may be half of one in the label.
    quoted: bool,
    half: bool,
    /// Comments that are open.
    depth: u32,
}

impl NewickState {
    /// Before a text.
    pub const START: NewickState =
        NewickState { begun: false, quoted: false, half: false, depth: 0 };

    /// Within a label or a number.
    pub const BEGUN: NewickState = NewickState { begun: true, ..NewickState::START };

    /// As a number.
    pub fn bits(self) -> u64 {
        let flags = [self.begun, self.quoted, self.half];
        let flags = flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        u64::from(self.depth) << 3 | flags
    }

    /// What [`bits`](NewickState::bits) came from.
    pub fn of_bits(bits: u64) -> NewickState {
        let flag = |k: u32| bits >> k & 1 == 1;
        NewickState { begun: flag(0), quoted: flag(1), half: flag(2), depth: (bits >> 3) as u32 }
    }

    /// In a label in quotes that is not closed.
    pub(super) fn in_quotes(self) -> bool {
        self.quoted && !self.half
    }

    /// In a comment that is not closed.
    pub(super) fn in_comment(self) -> bool {
        self.depth > 0
    }

    /// Whether a byte is a mark; the state after it.
    #[inline(always)]
    pub(super) fn next(&mut self, byte: u8) -> bool {
        if self.half {
            self.half = false;
            if byte == b'\'' {
                return false;
            }
            (self.quoted, self.begun) = (false, true);
        }
        if self.quoted {
            self.half = byte == b'\'';
            return false;
        }
        if self.depth > 0 {
            match byte {
                b'[' => self.depth += 1,
                b']' => self.depth -= 1,
                _ => {}
            }
            return false;
        }
        match byte {
            b'(' | b')' | b',' | b';' => {
                self.begun = false;
                return true;
            }
            b'[' => self.depth = 1,
            b'\'' if !self.begun => self.quoted = true,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => self.begun = true,
        }
        false
    }
}
