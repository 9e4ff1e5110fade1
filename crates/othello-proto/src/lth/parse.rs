//! Reading lines, one small parser for each line of the document.
//!
//! Upper and lower case, runs of blanks, blanks around the line and the kind of apostrophe do not
//! matter; [`leniency`] names the leniency that a line used.

mod words;

use alloc::{string::ToString, vec::Vec};
use core::time::Duration;

use nom::{
    Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while1},
    character::complete::one_of,
    combinator::{eof, fail, map, map_opt, opt, peek, rest, value, verify},
    sequence::{delimited, preceded, terminated},
};
use othello_core::{Color, Move, Square};

use self::words::{blanks, end, is_blank, phrase, run, text};
use super::{Complaint, GameOutcome, Id, InvalidId, OldLine, ServerLine};
use crate::{
    ParseError,
    grammar::{Rule, expect_word},
};

/// Reads a line of the server, given without its end.
///
/// # Errors
///
/// Fails if it is none: the line after `error` is for [`complaint`].
pub fn server_line(line: &[u8]) -> Result<ServerLine, ParseError> {
    run(line, any_server_line)
}

/// Reads the line after `error`, whatever its words.
pub fn complaint(line: &[u8]) -> Complaint {
    match run(line, known_complaint) {
        Ok(known) => known,
        Err(_) => Complaint::Other(text(line)),
    }
}

/// Reads a client's answer to `What is your name?`.
///
/// # Errors
///
/// When it is no id. Blanks around it do not count.
pub fn name_answer(line: &[u8]) -> Result<Id, InvalidId> {
    match core::str::from_utf8(line) {
        Ok(text) => Id::new(text.trim()),
        Err(error) => Err(InvalidId::NotUtf8 {
            offset: error.valid_up_to(),
        }),
    }
}

/// Reads a client's answer to the question for its colour.
///
/// # Errors
///
/// When it is neither `d` nor `w`.
pub fn color_answer(line: &[u8]) -> Result<Color, ParseError> {
    run(line, d_or_w)
}

/// Reads a client's answer to `your move`.
///
/// # Errors
///
/// When it is neither a square nor `PASS`.
pub fn move_answer(line: &[u8]) -> Result<Move, ParseError> {
    run(line, |input| terminated(xy_or_pass, line_end).parse(input))
}

/// Returns the documented name of the leniency needed to read `line` as `read`, or `None` if `line`
/// is in the document's form.
pub fn leniency(line: &[u8], read: &ServerLine) -> Option<&'static str> {
    let exact = read.to_string();
    let letters = |text: &[u8]| -> Vec<u8> {
        let kept = text.iter().filter(|byte| !byte.is_ascii_whitespace());
        kept.map(u8::to_ascii_lowercase).collect()
    };
    if matches!(read, ServerLine::Old(_)) {
        Some("older-server")
    } else if line == exact.as_bytes() {
        None
    } else if line.eq_ignore_ascii_case(exact.as_bytes()) {
        Some("case")
    } else if letters(line) == letters(exact.as_bytes()) {
        Some("blanks")
    } else if *read == ServerLine::OpponentsMove && !line.contains(&b'\'') {
        Some("apostrophe")
    } else {
        Some("wording")
    }
}

fn any_server_line(input: &[u8]) -> Rule<'_, ServerLine> {
    alt((
        greeting,
        name_question,
        hello,
        time_limit,
        move_format,
        color_question,
        you_are,
        whose_move,
        map(terminated(xy_or_pass, end), ServerLine::Move),
        error,
        map(known_complaint, ServerLine::Complaint),
        finished,
        count,
        number,
        outcome,
        named_winner,
        other_error,
    ))
    .parse(input)
}

fn greeting(input: &[u8]) -> Rule<'_, ServerLine> {
    alt((
        value(ServerLine::Old(OldLine::Greeting), (tag("hi!"), rest)),
        value(ServerLine::Greeting, (phrase("Hi!"), rest)),
    ))
    .parse(input)
}

fn name_question(input: &[u8]) -> Rule<'_, ServerLine> {
    value(
        ServerLine::NameQuestion,
        (phrase("What is your name"), expect_word("`?`", end)),
    )
    .parse(input)
}

/// The id ends at the last `!`, since it may hold one itself.
fn hello(input: &[u8]) -> Rule<'_, ServerLine> {
    let (after, ()) = phrase("Hello ")(input)?;
    let Some(mark) = after.iter().rposition(|&byte| byte == b'!') else {
        return expect_word("a name and `!`", fail()).parse(after);
    };
    let (id, tail) = (text(&after[..mark]), &after[mark + 1..]);
    map(alt((map(win_count, Some), value(None, end))), |wins| {
        ServerLine::Hello {
            id: id.clone(),
            wins,
        }
    })
    .parse(tail)
}

fn win_count(input: &[u8]) -> Rule<'_, u32> {
    delimited(
        (blanks, phrase("Your current win count is "), blanks),
        expect_word("a number of wins", nom::character::complete::u32),
        end,
    )
    .parse(input)
}

fn time_limit(input: &[u8]) -> Rule<'_, ServerLine> {
    map(
        delimited(
            phrase("Your time limit is "),
            expect_word("a number of seconds", seconds),
            (blanks, expect_word("`secs`", secs), end),
        ),
        ServerLine::TimeLimit,
    )
    .parse(input)
}

fn secs(input: &[u8]) -> Rule<'_, ()> {
    alt((
        phrase("seconds"),
        phrase("secs"),
        phrase("sec"),
        phrase("s"),
    ))
    .parse(input)
}

/// A whole number of seconds or, from lenient servers, a decimal one.
fn seconds(input: &[u8]) -> Rule<'_, Duration> {
    let fraction = preceded(tag("."), take_while1(|byte: u8| byte.is_ascii_digit()));
    map(
        (nom::character::complete::u64, opt(fraction)),
        |(whole, fraction): (u64, Option<&[u8]>)| {
            let digits = fraction.unwrap_or_default().iter().map(|byte| byte - b'0');
            let nanos = digits
                .chain(core::iter::repeat(0))
                .take(9)
                .fold(0, |nanos, digit| nanos * 10 + u32::from(digit));
            Duration::new(whole, nanos)
        },
    )
    .parse(input)
}

fn move_format(input: &[u8]) -> Rule<'_, ServerLine> {
    value(ServerLine::MoveFormat, (phrase("Move format"), rest)).parse(input)
}

fn color_question(input: &[u8]) -> Rule<'_, ServerLine> {
    value(
        ServerLine::ColorQuestion,
        (alt((phrase("choose colour"), phrase("choose color"))), rest),
    )
    .parse(input)
}

fn you_are(input: &[u8]) -> Rule<'_, ServerLine> {
    map(
        delimited(
            phrase("you are "),
            expect_word("`dark` or `white`", dark_or_white),
            end,
        ),
        ServerLine::YouAre,
    )
    .parse(input)
}

fn dark_or_white(input: &[u8]) -> Rule<'_, Color> {
    alt((
        value(Color::Black, alt((phrase("dark"), phrase("black")))),
        value(Color::White, phrase("white")),
    ))
    .parse(input)
}

fn whose_move(input: &[u8]) -> Rule<'_, ServerLine> {
    terminated(
        alt((
            value(ServerLine::YourMove, phrase("your move")),
            value(ServerLine::OpponentsMove, phrase("opponent's move")),
            value(ServerLine::Old(OldLine::MyMove), phrase("my move")),
        )),
        end,
    )
    .parse(input)
}

fn xy_or_pass(input: &[u8]) -> Rule<'_, Move> {
    expect_word(
        "a square a1-h8 or PASS",
        alt((value(Move::Pass, phrase("PASS")), map(xy, Move::Place))),
    )(input)
}

fn xy(input: &[u8]) -> Rule<'_, Square> {
    map_opt(
        (one_of("abcdefghABCDEFGH"), one_of("12345678")),
        |(letter, digit): (char, char)| {
            let column = letter.to_ascii_lowercase() as u8 - b'a';
            Square::new(column, digit as u8 - b'1')
        },
    )
    .parse(input)
}

fn d_or_w(input: &[u8]) -> Rule<'_, Color> {
    terminated(
        expect_word(
            "`d` or `w`",
            alt((
                value(Color::Black, one_of("dD")),
                value(Color::White, one_of("wW")),
            )),
        ),
        line_end,
    )
    .parse(input)
}

/// The end of a client's line.
fn line_end(input: &[u8]) -> Rule<'_, &[u8]> {
    expect_word("the end of the line", eof)(input)
}

/// The word `error`, or `E:`, and perhaps a reason.
fn error(input: &[u8]) -> Rule<'_, ServerLine> {
    let ends_word = |after: &[u8]| {
        let next = after.first();
        next.is_none_or(|&byte| is_blank(byte) || b".,:;!?".contains(&byte))
    };
    let label = alt((
        terminated(phrase("error"), verify(peek(rest), ends_word)),
        value((), (phrase("E"), blanks, tag(":"))),
    ));
    let gap = take_while(|byte| is_blank(byte) || b".,:;!?-".contains(&byte));
    map(preceded((label, gap), rest), old_error).parse(input)
}

/// Any other line that starts with `error`, such as `error(2)`; a name may do so too.
fn other_error(input: &[u8]) -> Rule<'_, ServerLine> {
    map(preceded(phrase("error"), rest), old_error).parse(input)
}

/// An error with its reason, if that is not on the next line.
fn old_error(reason: &[u8]) -> ServerLine {
    match text(reason) {
        reason if reason.is_empty() => ServerLine::Error,
        reason => ServerLine::Old(OldLine::Error(reason)),
    }
}

fn known_complaint(input: &[u8]) -> Rule<'_, Complaint> {
    terminated(
        alt((
            value(
                Complaint::WrongColor,
                alt((
                    phrase("You provided wrong colour. Bye"),
                    phrase("You provided wrong color. Bye"),
                )),
            ),
            value(Complaint::IllegalMove, phrase("This move is illegal. Bye")),
            value(Complaint::TimeLimit, phrase("Time limit exceeded. Bye")),
            value(Complaint::InvalidName, phrase("Your name is invalid. Bye")),
            value(
                Complaint::ReservedName,
                phrase("Your name is reserved. Bye"),
            ),
        )),
        end,
    )
    .parse(input)
}

fn finished(input: &[u8]) -> Rule<'_, ServerLine> {
    let quote = || opt(tag("\""));
    preceded(
        (quote(), phrase("The game is finished"), quote()),
        // The end is what is expected if neither comes.
        alt((
            map(
                delimited((blanks, phrase("White:"), blanks), opt(discs), end),
                |white| ServerLine::Old(OldLine::FinishedWhite(white)),
            ),
            value(ServerLine::Finished, end),
        )),
    )
    .parse(input)
}

fn count(input: &[u8]) -> Rule<'_, ServerLine> {
    map(
        (
            dark_or_white,
            delimited((blanks, tag(":"), blanks), opt(discs), end),
        ),
        |(color, discs)| match discs {
            Some(discs) => ServerLine::Count { color, discs },
            None => ServerLine::Old(OldLine::Label(color)),
        },
    )
    .parse(input)
}

fn number(input: &[u8]) -> Rule<'_, ServerLine> {
    map(terminated(discs, end), |number| {
        ServerLine::Old(OldLine::Number(number))
    })
    .parse(input)
}

fn discs(input: &[u8]) -> Rule<'_, u8> {
    expect_word(
        "a number of discs, 0 to 64",
        verify(nom::character::complete::u8, |&discs| discs <= 64),
    )(input)
}

fn outcome(input: &[u8]) -> Rule<'_, ServerLine> {
    let won = (take_while1(is_blank), won, end);
    map(
        alt((
            map(terminated(dark_or_white, won), GameOutcome::Won),
            value(GameOutcome::Draw, (phrase("Draw"), end)),
        )),
        ServerLine::Outcome,
    )
    .parse(input)
}

fn won(input: &[u8]) -> Rule<'_, ()> {
    alt((phrase("won"), phrase("wins"))).parse(input)
}

/// The name is everything before the last word.
fn named_winner(input: &[u8]) -> Rule<'_, ServerLine> {
    let blank = input.iter().rposition(|&byte| is_blank(byte)).unwrap_or(0);
    let name = text(&input[..blank]);
    if name.is_empty() {
        return fail().parse(input);
    }
    let ends: Rule<'_, _> = (blanks, won, end).parse(&input[blank..]);
    match ends {
        Ok((after, _)) => Ok((after, ServerLine::NamedWinner(name))),
        Err(_) => fail().parse(input),
    }
}
