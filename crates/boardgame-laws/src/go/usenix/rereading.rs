//! What two programs printed, read once more in the plainest way.

use std::time::Duration;

use crate::HostEvent;
use boardgame_core::{ByColor, Color};
use boardgame_session::{Cause, SeatFault, Timestamp, Verdict};
use go_core::{KoRule, Move, Point, Setup, Size};
use go_proto::{framing::MAX_LINE, usenix::RefereeOptions};

use crate::go::oracle::Oracle;

/// What a line of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Place(Point),
    OffBoard,
    Pass,
    Garbage,
}

/// Reads a line for a board of some size by the words of the format's documentation.
pub(super) fn read_line(line: &[u8], size: Size, as_1986: bool) -> Line {
    let mut text = line.to_vec();
    text.retain(|byte| !b" \t".contains(byte));
    if text == b"pass" {
        return Line::Pass;
    }
    let Some((column, row)) = text.split_first_mut() else {
        return Line::Garbage;
    };
    if as_1986 && *column == b'I' {
        *column = b'J';
    }
    let columns = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let Some(column) = columns.iter().position(|letter| letter == column) else {
        return Line::Garbage;
    };
    if row.is_empty() || !row.iter().all(u8::is_ascii_digit) {
        return Line::Garbage;
    }
    let row = String::from_utf8_lossy(row);
    let lines = size.lines();
    let on_board = (1..=lines).find(|number| row.trim_start_matches('0') == number.to_string());
    match on_board {
        Some(row) if column < usize::from(lines) => {
            Line::Place(Point::new(column as u8, row - 1).expect("a point"))
        }
        _ if as_1986 => Line::Garbage,
        _ => Line::OffBoard,
    }
}

/// The time of each side as the rules have it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Time {
    /// The main time and the time for a move thereafter, if there is a limit.
    pub(super) limit: Option<(Duration, Duration)>,
    /// True if a late program loses at once, and false if only its late answer does, since the wall's
    /// clock is not the one that counts.
    pub(super) on_wall: bool,
}

/// The end of a game, without the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Played,
    Illegal(Color),
    Overtime(Color),
    Format(Color),
    Left(Color),
}

impl End {
    /// The end that a verdict tells.
    pub(super) fn of(verdict: &Verdict) -> Self {
        match &verdict.cause {
            Cause::Played => Self::Played,
            Cause::Forfeit { by, fault } => match fault {
                SeatFault::IllegalMove { .. } => Self::Illegal(*by),
                SeatFault::Overtime { .. } => Self::Overtime(*by),
                SeatFault::Format { .. } => Self::Format(*by),
                SeatFault::Left => Self::Left(*by),
                fault => panic!("the seat does not see {fault:?}"),
            },
            cause => panic!("the format has no {cause:?}"),
        }
    }
}

/// A game that is judged by what both programs printed and when.
#[derive(Debug)]
pub(super) struct Rereading {
    options: RefereeOptions,
    permits_ko: bool,
    time: Time,
    main_left: ByColor<Duration>,
    board: Oracle,
    to_move: Color,
    asked: Timestamp,
    /// What each program printed since its last answer.
    unread: ByColor<Vec<u8>>,
    answers: ByColor<usize>,
    ended: ByColor<bool>,
    in_byo_romi: ByColor<bool>,
    /// The moves so far.
    pub(super) moves: Vec<Move>,
    /// The lines that each program is to be sent.
    pub(super) told: ByColor<Vec<String>>,
    /// The end, once the game is decided.
    pub(super) end: Option<End>,
}

impl Rereading {
    /// Begins a game at the origin of time.
    pub(super) fn new(setup: &Setup, options: RefereeOptions, time: Time) -> Self {
        let main = time.limit.map_or(Duration::MAX, |(main, _)| main);
        let mut game = Self {
            options,
            permits_ko: setup.rules().ko == KoRule::Unrestricted,
            time,
            main_left: ByColor::new_with(|_| main),
            board: Oracle::new(setup.size()),
            to_move: Color::Black,
            asked: Timestamp::ORIGIN,
            unread: ByColor::default(),
            answers: ByColor::default(),
            ended: ByColor::default(),
            in_byo_romi: ByColor::default(),
            moves: Vec::new(),
            told: ByColor {
                black: vec!["black".into()],
                white: vec!["white".into()],
            },
            end: None,
        };
        game.announce_byo_romi();
        game
    }

    /// Takes what happened to the programs.
    pub(super) fn take(&mut self, event: HostEvent<'_>, now: Timestamp) {
        if self.time.on_wall && self.is_late(now - self.asked) {
            self.decide(End::Overtime(self.to_move));
        }
        match event {
            HostEvent::Printed(seat, bytes) => {
                self.unread[seat].extend(bytes);
                // Nothing else can end a line, or pass the bound of one.
                if bytes.contains(&b'\n') || self.unread[seat].len() > MAX_LINE {
                    self.read(now);
                }
                if self.unread[seat].len() > self.options.max_turn_bytes {
                    self.decide(End::Format(seat));
                }
            }
            HostEvent::Ended(seat) => {
                self.ended[seat] = true;
                self.read(now);
            }
            HostEvent::Tick => {}
        }
    }

    fn decide(&mut self, end: End) {
        self.end.get_or_insert(end);
    }

    fn is_late(&self, took: Duration) -> bool {
        self.time.limit.is_some_and(|(_, move_time)| {
            took > self.main_left[self.to_move] + move_time + self.options.grace
        })
    }

    /// Reads answers for as long as there are any.
    fn read(&mut self, now: Timestamp) {
        while self.end.is_none()
            && let Some(line) = self.next_answer()
        {
            self.play(line, now);
        }
    }

    /// Takes the next line of the side to move that is no garbage.
    fn next_answer(&mut self) -> Option<Line> {
        let seat = self.to_move;
        let mut from = 0;
        loop {
            let unread = &self.unread[seat][from..];
            let end = unread.iter().position(|&byte| byte == b'\n');
            let read = self.line(&unread[..end.unwrap_or(unread.len())], from == 0);
            let is_last = end.is_none() && self.ended[seat];
            let past = from + end.map_or(unread.len(), |end| end + 1);
            if past > self.options.max_turn_bytes {
                self.decide(End::Format(seat));
                return None;
            }
            let line = match read {
                // A line that is too long is garbage before it ends.
                None => Line::Garbage,
                Some(Line::Garbage) if is_last && unread.is_empty() => break,
                Some(line) if end.is_some() || is_last => line,
                Some(_) => return None,
            };
            if line != Line::Garbage {
                self.unread[seat].drain(..past);
                self.answers[seat] += 1;
                return Some(line);
            }
            if end.is_none() {
                break;
            }
            from = past;
        }
        if self.ended[seat] {
            self.decide(End::Left(seat));
        }
        None
    }

    /// Reads a line without its end, `None` if it is too long. The first one of a program may begin with a
    /// byte order mark.
    fn line(&self, line: &[u8], is_first_of_turn: bool) -> Option<Line> {
        let is_first = is_first_of_turn && self.answers[self.to_move] == 0;
        let mark = "\u{feff}".as_bytes();
        let line = line.strip_prefix(mark).filter(|_| is_first).unwrap_or(line);
        if line.len() > MAX_LINE {
            return None;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(read_line(line, self.board.size, self.options.as_1986))
    }

    fn play(&mut self, line: Line, now: Timestamp) {
        let color = self.to_move;
        let took = now - self.asked;
        let mv = match line {
            Line::Pass => Move::Pass,
            Line::Place(point) if self.is_legal(point) => point.into(),
            _ => return self.decide(End::Illegal(color)),
        };
        if self.is_late(took) {
            return self.decide(End::Overtime(color));
        }
        let over = mv == Move::Pass && self.moves.last() == Some(&Move::Pass);
        match mv {
            Move::Place(point) => _ = self.board.play(color, point),
            Move::Pass => self.board.pass(),
        }
        self.main_left[color] = self.main_left[color].saturating_sub(took);
        self.moves.push(mv);
        (self.to_move, self.asked) = (!color, now);
        if over {
            self.decide(End::Played);
        } else {
            self.announce_byo_romi();
        }
        self.told[!color].push(mv.to_string());
    }

    /// The three kinds of illegal moves, and retaking a ko.
    fn is_legal(&self, point: Point) -> bool {
        let color = self.to_move;
        self.board.at(point).is_none()
            && !self.board.is_suicide(color, point)
            && (self.permits_ko || !self.board.retakes_ko(color, point))
    }

    /// Tells the side to move once that its main time is used up.
    fn announce_byo_romi(&mut self) {
        let color = self.to_move;
        if self.main_left[color].is_zero() && !self.in_byo_romi[color] {
            self.in_byo_romi[color] = true;
            self.told[color].push("byo-romi".into());
        }
    }
}
