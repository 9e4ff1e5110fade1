//! A page in the browser.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::protocol::Connection;

/// The time in which what a test waits for happens, on a machine that is busy.
const WAIT: Duration = Duration::from_secs(240);

/// The time, several frames, for which an element has to stay in its place before it is clicked.
const STEADY: Duration = Duration::from_millis(50);

/// A page, and what a person does with it.
pub struct Page {
    connection: Connection,
    session: String,
    context: Value,
}

impl Drop for Page {
    fn drop(&mut self) {
        let context = json!({ "browserContextId": self.context });
        // The browser may have ended.
        let _ = self
            .connection
            .call(None, "Target.disposeBrowserContext", context);
    }
}

impl Page {
    pub(crate) fn new(
        connection: Connection,
        session: String,
        context: Value,
    ) -> anyhow::Result<Self> {
        let mut page = Self {
            connection,
            session,
            context,
        };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(page)
    }

    /// Gives the window a size in pixels.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn resize(&mut self, width: u32, height: u32) -> anyhow::Result<()> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size)?;
        Ok(())
    }

    fn call(&mut self, method: &str, parameters: Value) -> anyhow::Result<Value> {
        let session = self.session.clone();
        self.connection.call(Some(&session), method, parameters)
    }

    /// Goes to an address and waits until the page there is ready.
    ///
    /// # Errors
    ///
    /// An error if the page does not load.
    pub fn open(&mut self, address: &str) -> anyhow::Result<()> {
        let answer = self.call("Page.navigate", json!({ "url": address }))?;
        if let Some(error) = answer["errorText"].as_str() {
            bail!("{address}: {error}");
        }
        self.wait("document.documentElement.dataset.ready")?;
        Ok(())
    }

    /// Loads the page again.
    ///
    /// # Errors
    ///
    /// An error if the page does not load.
    pub fn reload(&mut self) -> anyhow::Result<()> {
        self.eval("delete document.documentElement.dataset.ready")?;
        self.call("Page.reload", json!({}))?;
        self.wait("document.documentElement.dataset.ready")?;
        Ok(())
    }

    /// Returns the value of an expression of JavaScript, once it is known if it is a promise.
    ///
    /// # Errors
    ///
    /// An error if the expression throws.
    pub fn eval(&mut self, expression: &str) -> anyhow::Result<Value> {
        let asked = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
        });
        let mut answer = self.call("Runtime.evaluate", asked)?;
        if !answer["exceptionDetails"].is_null() {
            bail!("{expression}: {}", answer["exceptionDetails"]);
        }
        Ok(answer["result"]["value"].take())
    }

    /// Waits until an expression has a value that counts as true, which it returns.
    ///
    /// # Errors
    ///
    /// An error if that does not happen in time.
    pub fn wait(&mut self, expression: &str) -> anyhow::Result<Value> {
        let began = Instant::now();
        loop {
            // While a page is loaded, nothing can be asked of it.
            let value = self.eval(&format!("({expression}) || null"));
            if let Ok(value) = &value
                && !value.is_null()
            {
                return Ok(value.clone());
            }
            if began.elapsed() > WAIT {
                bail!("waited {WAIT:?} for {expression}, last {value:?}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks on the middle of the first element that a selector names, once it is there, can be seen and stays in its
    /// place.
    ///
    /// # Errors
    ///
    /// An error if there is no such element in time.
    pub fn click(&mut self, selector: &str) -> anyhow::Result<()> {
        let mut place = self.middle(selector)?;
        loop {
            thread::sleep(STEADY);
            let now = self.middle(selector)?;
            if now == place {
                break;
            }
            place = now;
        }
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Returns the middle of the first element that a selector names, once it is there and can be seen.
    fn middle(&mut self, selector: &str) -> anyhow::Result<Value> {
        self.wait(&format!(
            "(() => {{ const found = document.querySelector({}); if (!found || !found.checkVisibility()) return null; \
             found.scrollIntoView({{ block: 'nearest' }}); const box = found.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ))
    }

    /// Presses a key: `ArrowLeft`, `Enter`, `Tab`.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn press(&mut self, key: &str) -> anyhow::Result<()> {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => bail!("expected a key that has a code here, found {key}"),
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text,
            });
            self.call("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    /// Types text where the focus is, all at once.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn type_text(&mut self, text: &str) -> anyhow::Result<()> {
        self.call("Input.insertText", json!({ "text": text }))?;
        Ok(())
    }

    /// Lets the page see a system that is light or dark.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn set_dark(&mut self, is_dark: bool) -> anyhow::Result<()> {
        let value = if is_dark { "dark" } else { "light" };
        let feature = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.call("Emulation.setEmulatedMedia", feature)?;
        Ok(())
    }

    /// Takes the network away from the page.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn go_offline(&mut self) -> anyhow::Result<()> {
        let offline = json!({
            "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.call("Network.emulateNetworkConditions", offline)?;
        Ok(())
    }

    /// Records what the browser does meanwhile, as events of its trace.
    ///
    /// # Errors
    ///
    /// An error of what is done, or if the browser does not answer.
    pub fn trace(
        &mut self,
        act: impl FnOnce(&mut Self) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Value>> {
        let asked =
            json!({ "categories": "toplevel,devtools.timeline", "transferMode": "ReportEvents" });
        self.connection.call(None, "Tracing.start", asked)?;
        act(self)?;
        self.connection.call(None, "Tracing.end", json!({}))?;
        let began = Instant::now();
        while self
            .connection
            .take_events("Tracing.tracingComplete")
            .is_empty()
        {
            if began.elapsed() > WAIT {
                bail!("waited {WAIT:?} for the trace");
            }
            self.eval("0")?;
        }
        let parts = self.connection.take_events("Tracing.dataCollected");
        let events = parts
            .into_iter()
            .flat_map(|mut part| match part["value"].take() {
                Value::Array(events) => events,
                _ => Vec::new(),
            });
        Ok(events.collect())
    }

    /// Returns a picture of this many pixels from the left and the top, as PNG, at a scale.
    ///
    /// # Errors
    ///
    /// An error if the browser does not answer.
    pub fn screenshot(&mut self, width: u32, height: u32, scale: f64) -> anyhow::Result<Vec<u8>> {
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": scale });
        let asked = json!({ "format": "png", "clip": clip });
        let answer = self.call("Page.captureScreenshot", asked)?;
        let data = answer["data"].as_str().context("a picture")?;
        Ok(STANDARD.decode(data)?)
    }

    /// Returns what went wrong in the page since this was last asked: exceptions, and errors that the browser logs,
    /// such as what the page's policy forbids.
    pub fn take_errors(&mut self) -> Vec<String> {
        let thrown = self.connection.take_events("Runtime.exceptionThrown");
        let logged = self.connection.take_events("Log.entryAdded");
        let logged = logged
            .into_iter()
            .filter(|event| event["entry"]["level"] == "error");
        thrown
            .into_iter()
            .chain(logged)
            .map(|event| event.to_string())
            .collect()
    }
}
