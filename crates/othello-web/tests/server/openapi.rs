//! The description of the API, compared with the server's answers.

use serde_json::{Value, json};

use crate::{
    client::{TestServer, config},
    games::watched_run,
};

fn description() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).unwrap()
}

/// A request that each operation answers, by its path; `None` is GET.
const REQUESTS: &[(&str, &str, Option<&str>)] = &[
    ("/api/hint", "/api/hint?moves=f5d6&depth=3", None),
    ("/api/move", "/api/move", Some(r#"{"level":2}"#)),
    (
        "/api/records",
        "/api/records",
        Some(r#"{"text":"(;GM[2]C[a];B[f5]C[good])\n(;GM[2]B[a1])"}"#),
    ),
    (
        "/api/analyze",
        "/api/analyze",
        Some(r#"{"moves":"f5d6","depth":2,"exact_from":4}"#),
    ),
    (
        "/api/position",
        "/api/position",
        Some(r#"{"moves":"f5d6c3"}"#),
    ),
    (
        "/api/explore",
        "/api/explore",
        Some(r#"{"moves":"f5","text":"f5d6\nf5f6"}"#),
    ),
    ("/api/drill", "/api/drill", None),
    ("/api/engine", "/api/engine", None),
    ("/api/games", "/api/games", None),
    ("/api/games/events", "/api/games/events", None),
    ("/api/games/{run}", "/api/games/1", None),
    ("/api/games/{run}/{game}", "/api/games/1/1", None),
    ("/api/openapi.json", "/api/openapi.json", None),
];

#[tokio::test]
async fn each_path_that_is_described_answers_as_described() {
    let description = description();
    let config = config();
    let _run = watched_run(&config.runs);
    let server = TestServer::start(config).await;
    let described: Vec<&String> = description["paths"].as_object().unwrap().keys().collect();
    let mut asked: Vec<&str> = REQUESTS.iter().map(|(path, ..)| *path).collect();
    asked.sort_unstable();
    assert_eq!(described, asked);
    for (path, target, body) in REQUESTS {
        let (method, reply) = match body {
            None => ("get", server.get(target).await),
            Some(body) => ("post", server.post(target, body).await),
        };
        assert_eq!(reply.status, 200, "{reply:?}");
        let operation = &description["paths"][*path][method];
        assert!(operation.is_object(), "{path} has {method}");
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let fault = fault(&description, schema, &reply.json());
        assert_eq!(fault, None, "{path}: {}", reply.body);
    }
}

#[tokio::test]
async fn fields_of_requests_are_those_that_are_described() {
    let description = description();
    let server = TestServer::start(config()).await;
    for path in ["move", "records", "analyze", "position", "explore", "drill"] {
        // The error for an unknown field names all known ones.
        let reply = server.post(&format!("/api/{path}"), r#"{"?":1}"#).await;
        let message = reply.message();
        let real: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        let operation = &description["paths"][format!("/api/{path}")]["post"];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(
            sorted(real),
            sorted(fields(&description, schema)),
            "{message}"
        );
    }
    let message = server.get("/api/hint?x=1").await.message();
    let real: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
    let parameters = &description["paths"]["/api/hint"]["get"]["parameters"];
    let parameters = parameters.as_array().unwrap().iter();
    let described = parameters.map(|parameter| parameter["name"].as_str().unwrap());
    assert_eq!(sorted(real), sorted(described.collect()), "{message}");
}

#[test]
fn the_check_finds_faults() {
    let description = description();
    let schema = json!({ "$ref": "#/components/schemas/Error" });
    let check = |value: &Value| fault(&description, &schema, value);
    assert_eq!(check(&json!({ "error": { "message": "no" } })), None);
    for wrong in [
        json!({ "error": { "message": 1 } }),
        json!({ "error": {} }),
        json!({ "error": { "message": "no", "code": 1 } }),
        json!([]),
    ] {
        assert!(check(&wrong).is_some(), "{wrong}");
    }
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

fn fields<'a>(description: &'a Value, schema: &'a Value) -> Vec<&'a str> {
    let schema = resolved(description, schema);
    let fields = schema["properties"].as_object().unwrap();
    fields.keys().map(String::as_str).collect()
}

fn resolved<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(name) => description
            .pointer(&name[1..])
            .expect("a schema that there is"),
        None => schema,
    }
}

/// Returns what is wrong with a value, by the parts of JSON Schema that the description uses.
fn fault(description: &Value, schema: &Value, value: &Value) -> Option<String> {
    let schema = resolved(description, schema);
    let wrong = |what: &str| Some(format!("expected {what}, found {value}"));
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| fault(description, choice, value).is_none();
        return (!choices.iter().any(fits)).then(|| format!("{value} fits no choice"));
    }
    if let Some(expected) = schema.get("const").filter(|expected| *expected != value) {
        return wrong(&expected.to_string());
    }
    if let Some(choices) = schema["enum"].as_array().filter(|all| !all.contains(value)) {
        return wrong(&format!("one of {choices:?}"));
    }
    let is_right = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(other) => panic!("the check does not know the type {other}"),
        None => true,
    };
    if !is_right {
        return wrong(&schema["type"].to_string());
    }
    let items = value.as_array().into_iter().flatten();
    let of_items = items.filter_map(|item| fault(description, &schema["items"], item));
    of_items
        .chain(fault_of_fields(description, schema, value))
        .next()
}

fn fault_of_fields(description: &Value, schema: &Value, value: &Value) -> Option<String> {
    let object = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !object.contains_key(name) {
            return Some(format!("expected the field {name}"));
        }
    }
    object.iter().find_map(|(name, value)| {
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(schema), _) => {
                fault(description, schema, value).map(|fault| format!("{name}: {fault}"))
            }
            (None, Value::Bool(false)) => Some(format!("{name} is not described")),
            (None, _) => None,
        }
    })
}
