//! Answers: the events of a request as a stream, or the last of them as JSON.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use crate::requests::Event;
use axum::{
    body::{Body, Bytes, HttpBody},
    http::{
        HeaderMap, HeaderValue,
        header::{ACCEPT, CONTENT_TYPE},
    },
    response::{
        IntoResponse as _, Response,
        sse::{self, KeepAlive, Sse},
    },
};
use boardgame_io::Place;
use futures_util::stream;
use hyper::body::{Frame, SizeHint};
use othello_search::StopHandle;
use tokio::time::{Instant, sleep_until};

use super::{
    error::ApiError,
    events::{self, Receiver},
};

/// The time between two events of a stream.
pub(crate) const MIN_INTERVAL: Duration = Duration::from_millis(50);

/// The time without an event after which a stream sends a comment, to detect that a reader has gone.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Server-sent events.
    Stream,
    /// The last event as JSON.
    Json,
}

impl Form {
    /// Returns the form that a request accepts.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let accepts = headers.get_all(ACCEPT).into_iter();
        let mut types = accepts
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|media| media.split(';').next().unwrap_or_default().trim());
        if types.any(|media| media.eq_ignore_ascii_case("text/event-stream")) {
            Self::Stream
        } else {
            Self::Json
        }
    }
}

/// The answer to a request. When it is dropped, as hyper does when the connection closes, its search stops.
pub(crate) struct Answer {
    events: Receiver,
    _stop: Option<StopOnDrop>,
}

struct StopOnDrop(StopHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Answer {
    /// Returns the answer of a search that the handle stops.
    pub(crate) fn of_search(events: Receiver, stop: StopHandle) -> Self {
        Self {
            events,
            _stop: Some(StopOnDrop(stop)),
        }
    }

    /// Returns an answer that needs no search.
    pub(crate) fn of_event(event: Event) -> Self {
        let (sender, events) = events::channel();
        sender.send(event);
        sender.finish();
        Self {
            events,
            _stop: None,
        }
    }

    /// Returns the response in the requested form.
    pub(crate) async fn respond(self, form: Form) -> Result<Response, ApiError> {
        match form {
            Form::Stream => Ok(self.stream()),
            Form::Json => self.json().await,
        }
    }

    async fn json(mut self) -> Result<Response, ApiError> {
        match self.events.last().await {
            Some(Event::Error { .. }) | None => Err(ApiError::internal()),
            Some(last) => Ok(json(last.to_json())),
        }
    }

    /// Returns a stream for a possibly slow reader: newer events replace those that it has not read.
    fn stream(self) -> Response {
        let events = stream::unfold((self, Instant::now()), |(mut answer, next)| async move {
            // Meanwhile newer events take the place of older ones.
            sleep_until(next).await;
            let event = answer.events.next().await?;
            let sent = sse::Event::default()
                .event(event.name())
                .data(event.to_json());
            let next = Instant::now() + MIN_INTERVAL;
            Some((Ok::<_, Infallible>(sent), (answer, next)))
        });
        let alive = KeepAlive::new().interval(KEEP_ALIVE);
        Sse::new(events).keep_alive(alive).into_response()
    }
}

/// Returns a response in JSON.
pub(crate) fn json(text: impl Into<String>) -> Response {
    let content_type = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, content_type)], text.into()).into_response()
}

/// Holds a place until a response is sent.
pub(crate) fn hold(place: Place, response: Response) -> Response {
    response.map(|body| {
        Body::new(Held {
            body,
            _place: place,
        })
    })
}

/// A body with a place. hyper drops it once it has ended and little of it is left to send: it never announces its end,
/// or else hyper would drop it as soon as its text is handed over.
struct Held {
    body: Body,
    _place: Place,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_for_those_who_accept_one() {
        let form = |accept: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.extend(accept.map(|accept| (ACCEPT, HeaderValue::from_static(accept))));
            Form::of(&headers)
        };
        assert_eq!(form(Some("text/event-stream")), Form::Stream);
        assert_eq!(
            form(Some("text/html, Text/Event-Stream;q=0.9")),
            Form::Stream
        );
        assert_eq!(form(Some("*/*")), Form::Json);
        assert_eq!(form(None), Form::Json);
    }
    #[tokio::test]
    async fn a_search_that_breaks_off_is_answered_with_500() {
        let (sender, events) = events::channel();
        sender.send(Event::Progress(crate::requests::Progress {
            done: 1,
            total: 2,
            depth: 3,
            exact_from: 4,
        }));
        drop(sender);
        let answer = Answer::of_search(events, StopHandle::new());
        assert_eq!(
            answer.respond(Form::Json).await.err(),
            Some(ApiError::internal())
        );
    }
}
