//! The commands of rules: those of KGS and of KataGo.

use alloc::{format, string::String, vec::Vec};

use boardgame_session::gtp::player::{
    Done, Failure,
    commands::{arguments, done, told},
};
use go_core::{Game, KoRule, Rules, Scoring, SuicideRule};

use super::{
    super::{Command, Player},
    GoGame,
};

/// `kgs-rules`: rules by KGS's name.
pub(super) fn kgs_rules(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [name] = arguments(command)?;
    let named = KGS_NAMES.iter().find(|(known, _)| known == name);
    let &(_, rules) = named.ok_or(Failure::Syntax)?;
    player.game_mut().set_rules(rules);
    done()
}

/// The rules that KGS has names for.
const KGS_NAMES: [(&str, Rules); 4] = [
    ("japanese", Rules::JAPANESE),
    ("chinese", Rules::CHINESE),
    ("aga", Rules::AGA),
    ("new_zealand", Rules::NEW_ZEALAND),
];

/// Returns KGS's name of rules, if it has one.
pub(in crate::gtp) fn kgs_name(rules: Rules) -> Option<&'static str> {
    let named = KGS_NAMES.iter().find(|(_, known)| *known == rules)?;
    Some(named.0)
}

/// Returns the argument of `kata-set-rules` for rules: their name, or all of them as a JSON object.
pub(in crate::gtp) fn kata_rules(rules: Rules) -> String {
    match rules.name() {
        Some("chinese") => "chinese-kgs".into(),
        Some(name) => name.into(),
        None => json(rules),
    }
}

/// `kata-get-rules`: the rules of this game as a JSON object.
pub(super) fn kata_get_rules(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [] = arguments(command)?;
    told(json(player.game().game.setup().rules()))
}

/// Returns rules as a JSON object.
fn json(rules: Rules) -> String {
    let fields = fields(rules).map(|(key, value)| match value {
        "true" | "false" => format!("\"{key}\":{value}"),
        _ => format!("\"{key}\":\"{value}\""),
    });
    format!("{{{}}}", fields.join(","))
}

/// `kata-set-rules`: rules by name, or a JSON object of those that change.
pub(super) fn kata_set_rules(player: &mut Player, command: &Command) -> Done<GoGame> {
    let text = command.arguments.concat();
    let object = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let rules = match (text.as_str(), object) {
        ("", _) => return Err(Failure::Syntax),
        (_, Some(object)) => changed(player.game().rules, &pairs(object)?)?,
        ("korean", _) => Rules::JAPANESE,
        ("chinese-ogs" | "chinese-kgs", _) => Rules::CHINESE,
        ("bga", _) => Rules::AGA,
        (name, _) => (name.replace('_', "-").parse()).map_err(|_| Failure::UnsupportedRules)?,
    };
    player.game_mut().set_rules(rules);
    done()
}

/// `kata-set-rule`: one of the fields of `kata-get-rules`.
pub(super) fn kata_set_rule(player: &mut Player, command: &Command) -> Done<GoGame> {
    let [key, value] = arguments(command)?;
    let rules = changed(player.game().rules, &[(key, value)])?;
    player.game_mut().set_rules(rules);
    done()
}

/// Returns the fields of a JSON object of words, without its braces.
fn pairs(object: &str) -> Result<Vec<(&str, &str)>, Failure> {
    let fields = object.split(',').filter(|field| !field.is_empty());
    let pairs = fields.map(|field| {
        let (key, value) = field.split_once(':').ok_or(Failure::Syntax)?;
        Ok((key.trim_matches('"'), value.trim_matches('"')))
    });
    pairs.collect()
}

/// Returns the rules with other values of some fields, if these exist.
fn changed(mut rules: Rules, changes: &[(&str, &str)]) -> Result<Rules, Failure> {
    for &(key, value) in changes {
        match (key, value) {
            ("ko", "SIMPLE") => rules.ko = KoRule::Simple,
            ("ko", "POSITIONAL") => rules.ko = KoRule::PositionalSuperko,
            ("ko", "SITUATIONAL") => rules.ko = KoRule::SituationalSuperko,
            ("scoring", "AREA") => rules.scoring = Scoring::Area,
            ("scoring", "TERRITORY") => rules.scoring = Scoring::Territory,
            ("suicide", "true") => rules.suicide = SuicideRule::Allowed,
            ("suicide", "false") => rules.suicide = SuicideRule::Forbidden,
            // What the others allow is checked below.
            _ => {}
        }
    }
    let fields = fields(rules);
    // We pass under any rules as it allows.
    let holds = |change: &(&str, &str)| change.0 == "friendlyPassOk" || fields.contains(change);
    (changes.iter().all(holds).then_some(rules)).ok_or(Failure::UnsupportedRules)
}

/// Returns the rules in KataGo's words. Tax and bonus follow from the other rules.
fn fields(rules: Rules) -> [(&'static str, &'static str); 6] {
    let (scoring, tax) = match rules.scoring {
        Scoring::Area => ("AREA", "NONE"),
        Scoring::Territory => ("TERRITORY", "SEKI"),
    };
    let ko = match rules.ko {
        KoRule::Simple => "SIMPLE",
        KoRule::Unrestricted => "UNRESTRICTED",
        KoRule::PositionalSuperko => "POSITIONAL",
        KoRule::SituationalSuperko => "SITUATIONAL",
    };
    let suicide = match rules.suicide {
        SuicideRule::Allowed => "true",
        SuicideRule::Forbidden => "false",
    };
    let bonus = match rules.handicap_points(2) {
        0 => "0",
        1 => "N-1",
        _ => "N",
    };
    [
        ("hasButton", "false"),
        ("ko", ko),
        ("scoring", scoring),
        ("suicide", suicide),
        ("tax", tax),
        ("whiteHandicapBonus", bonus),
    ]
}

impl GoGame {
    /// Sets the rules of this game, if no move has been made, and of later ones.
    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        if self.game.moves().is_empty() {
            self.game = Game::new(self.game.setup().clone().with_rules(rules));
        }
    }
}
