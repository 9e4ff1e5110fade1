//! The questions on the page of `othello web`.

use std::{
    net::{Ipv4Addr, SocketAddr},
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use boardgame_io::stop_requested;
use othello_web::{Config, DrillAnswer, DrillError, Server, live::Runs};
use serde_json::{Value, json};

use super::{
    Args,
    round::Round,
    session::{Given, judgement_of},
};
use crate::{analyze::PROGRAM, listen::Listen, output::tell, web};

/// One search plays while another one analyzes.
const SEARCHES: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// The longest time of a search.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Serves the page, which asks the questions, until Ctrl-C.
pub(super) fn serve(args: &Args, port: u16, mut round: Round) -> anyhow::Result<()> {
    let listen = Listen::default();
    let bind = |port| listen.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let listener = bind(port).or_else(|_| bind(0))?;
    let bound = listener.local_addr()?;
    let drill = move |given: Option<DrillAnswer>| match given {
        Some(given) => judge(&mut round, given),
        None => Ok(question(&round)),
    };
    let config = Config {
        program: PROGRAM.to_owned(),
        engine: args.engine.settings(),
        searches: SEARCHES,
        time_limit: TIME_LIMIT,
        hosts: listen.hosts(bound),
        token: None,
        store: None,
        library: Arc::default(),
        runs: Runs::default(),
        share_base: None,
        drill: Some(Arc::new(Mutex::new(drill))),
    };
    web::print(&(listen.url(bound) + "#drill"))?;
    boardgame_io::block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let server = Server::new(&config)?;
        server.serve(listener, stop_requested()).await;
        anyhow::Ok(())
    })?
}

fn question(round: &Round) -> Value {
    let Some(lesson) = round.lesson() else {
        let next = round.next_in_words();
        let text = next.map_or_else(|| round.in_words(), |(_, text)| text);
        return json!({ "question": null, "text": text });
    };
    let question = json!({
        "from": lesson.title,
        "board": lesson.question.board,
        "last": lesson.game.moves().last(),
        "hint": lesson.mistake(),
    });
    json!({ "question": question, "left": round.left() })
}

fn judge(round: &mut Round, given: DrillAnswer) -> Result<Value, DrillError> {
    let Some(lesson) = round.lesson() else {
        return Err(DrillError::NoQuestion);
    };
    if given.board != lesson.question.board {
        return Err(DrillError::OtherQuestion);
    }
    let given = Given {
        square: given.square,
        hinted: given.hinted,
    };
    let question = lesson.question.clone();
    let answer = given.square.map(|square| {
        let answer = question.answer(square);
        answer.ok_or(DrillError::Illegal(square))
    });
    let answer = answer.transpose()?;
    let again = round.answer(&given).unwrap_or_else(|error| {
        // The answer counts in this round all the same.
        let _ = tell(format_args!("{error:#}"));
        format!("{error:#}")
    });
    round.advance();
    Ok(json!({
        "good": answer.as_ref().is_some_and(|answer| answer.good),
        "text": judgement_of(&question, answer.as_ref()) + &again,
        "line": answer.map_or_else(|| question.moves[0].line.clone(), |answer| answer.line),
        "moves": question.moves,
    }))
}
