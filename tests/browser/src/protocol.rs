//! The DevTools protocol: commands and events as JSON over a WebSocket.

use std::{net::TcpStream, time::Duration};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// The time in which the browser answers a command.
const ANSWER: Duration = Duration::from_secs(60);

/// A connection to a browser.
pub(crate) struct Connection {
    socket: WebSocket<TcpStream>,
    commands: u64,
    /// The events that no one has taken yet.
    events: Vec<Value>,
}

impl Connection {
    /// Connects to the browser that listens on a port of this machine.
    pub(crate) fn open(port: u16, path: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(ANSWER))?;
        stream.set_nodelay(true)?;
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream)?;
        Ok(Self {
            socket,
            commands: 0,
            events: Vec::new(),
        })
    }

    /// Sends a command to a page, or to the browser itself, and returns the answer.
    pub(crate) fn call(
        &mut self,
        page: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> anyhow::Result<Value> {
        self.commands += 1;
        let mut command = json!({ "id": self.commands, "method": method, "params": parameters });
        if let Some(page) = page {
            command["sessionId"] = page.into();
        }
        self.socket.send(Message::text(command.to_string()))?;
        loop {
            let message = self.socket.read().with_context(|| method.to_owned())?;
            let Message::Text(text) = message else {
                continue;
            };
            let mut message: Value = serde_json::from_str(&text)?;
            if message["id"] != self.commands {
                self.events.push(message);
            } else if message["error"].is_null() {
                return Ok(message["result"].take());
            } else {
                bail!("{method}: {}", message["error"]["message"]);
            }
        }
    }

    /// Takes the events of this kind that came since they were last taken.
    pub(crate) fn take_events(&mut self, method: &str) -> Vec<Value> {
        let events = self
            .events
            .extract_if(.., |event| event["method"] == method);
        events.map(|mut event| event["params"].take()).collect()
    }
}
