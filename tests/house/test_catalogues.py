"""Texts: every one that is used is there, in three languages, in order, and rightly spelt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import pytest
from babel import Locale

from firmware_bridge.hall.pages import FAMILIES
from firmware_bridge.language import LANGUAGES, Language, texts
from tests.house.catalogues import Entry, lacking, path_of, read_entries, tidy, written
from tests.house.committed import ROOT
from tests.house.keys import families, used
from tests.house.keys import written as keys_written

SAME_AS_ENGLISH = {
    "kk": {"aria.move", "list.versus", "setting.wrong", "table.carry"},
    "ru": {"aria.move", "list.versus", "setting.wrong", "table.carry"},
}
"""Texts that hold no word of any language."""

LATIN_WORDS = """
for out togyz demo board hall control broker perft resume status start suspend enter end release config c
javascript toml readme mqtt json python mosquitto amqtt ctrl kk ru en x bold blue language state
layout key device port emulator record pace speed host power cycle unplug stop score moves command_path
help_option md togyz_language adjust clock side seconds bastaushy qostaushy both observed m s
asyncapi openapi contract
input fen pgn txt jsonl utf ply text output o folder force prefer first second notation limit playstrategy
convert merge restore warning ruling illegal_stands clock diagram city result bastaushy n d
late session left forfeit reason cells beams sweep tokens togyz_games games
info offences degraded all emulate a real table utf username total_mb file_mb true false
h trace cut from to file png matplotlib pip install bridge plots r deploy requirements kazan fast brisk human
dir key keys chmod a z list revoke replace
table
calibrate auto previous layout rate enter
card boards toml serial apply id port
account name role chief csv round bastaushy qostaushy seat control b enrol rating team representative
ag apt auto baud calibrate chromium disable doctor event gpio id journalctl lgpio modemmanager multicast now
os password pi raspberry rate rpi set state_dir sudo supplementarygroups systemctl time timedatectl u uart
udev uninstall usb usermod
gpio raspberry pi pico hx pins data beams buttons
"""
"""Names, options and settings: what a person types stays as it is typed."""

GAP = re.compile(r"\{\w*\}")


def entries(language: Language) -> dict[str, Entry]:
    """Return a catalogue as it is committed."""
    return read_entries(path_of(ROOT, language).read_bytes())


def letters(form: str) -> str:
    """Return a text without what is filled in and without markup."""
    return re.sub(r"\[/?\w* ?\w*=?\]|\{\w*\}", " ", form)


def test_nothing_lacks_a_text_and_no_text_is_idle() -> None:
    """Every key that our code, pages and scripts use, in every language, and no other."""
    assert lacking(ROOT) == []


def test_the_files_are_as_our_tool_writes_them(tmp_path: Path) -> None:
    """In order, with the English text for translators, byte for byte; written again they stay the same."""
    for language in LANGUAGES:
        path = path_of(tmp_path, language)
        path.parent.mkdir(parents=True)
        path.write_bytes(path_of(ROOT, language).read_bytes())
    assert tidy(tmp_path) == []


def test_every_language_has_the_same_texts_with_the_same_gaps() -> None:
    """What is filled in, markup, and whether the text counts something."""
    english = entries("en")
    for language in ("kk", "ru"):
        other = entries(language)
        assert set(other) == set(english)
        for key, entry in other.items():
            assert entry.counts == english[key].counts, f"{language} {key}"
            for form in entry.forms:
                due = english[key].forms[-1]
                assert sorted(GAP.findall(form)) == sorted(GAP.findall(due)), f"{language} {key}"
                markup = re.compile(r"\[/?(?:bold|blue)?\]")
                assert sorted(markup.findall(form)) == sorted(markup.findall(due)), f"{language} {key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_counts_has_every_form_and_the_right_one_is_taken(language: Language) -> None:
    """The rule in the file is that of CLDR, by which Babel counts."""
    counting = [entry for entry in entries(language).values() if entry.counts]
    due = {"kk": 2, "ru": 3, "en": 2}[language]
    assert counting
    assert all(len(entry.forms) == due for entry in counting)
    names = {"kk": ["one", "other"], "ru": ["one", "few", "many"], "en": ["one", "other"]}[language]
    rule, form_of = Locale(language).plural_form, texts(language).form_of
    assert all(names[form_of(number)] == rule(number) for number in range(250))


@pytest.mark.parametrize("language", ["kk", "ru"])
def test_nothing_is_left_in_english(language: Language) -> None:
    """A translation that equals the English text is none, but for a listed few."""
    english = entries("en")
    same = {key for key, entry in entries(language).items() if entry.forms[0] == english[key].forms[0]}
    assert same == SAME_AS_ENGLISH[language]


@pytest.mark.parametrize("language", ["kk", "ru"])
def test_words_are_cyrillic_but_for_names(language: Language) -> None:
    """No Latin look-alike stands in a word, and a Latin word is something that one types."""
    for key, entry in entries(language).items():
        for word in re.findall(r"[^\W\d_]+(?:_[^\W\d_]+)*", letters(" ".join(entry.forms))):
            scripts = {unicodedata.name(letter).partition(" ")[0] for letter in word if letter.isalpha()}
            assert len(scripts) == 1, f"{language} {key}: {word} mixes {scripts}"
            if scripts == {"LATIN"} and not key.startswith("language."):
                assert word.lower() in LATIN_WORDS.split(), f"{language} {key}: {word}"


def test_each_language_keeps_to_its_letters() -> None:
    """Kazakh letters stand in no Russian text; the Kazakh catalogue is no transcription."""
    kazakh = set("әғқңөұүһіӘҒҚҢӨҰҮҺІ")
    used_letters = {
        language: set("".join("".join(entry.forms) for entry in entries(language).values()))
        for language in LANGUAGES
    }
    assert used_letters["ru"] & kazakh == set()
    assert len(used_letters["kk"] & kazakh) > 10
    assert not [letter for letter in used_letters["en"] if letter.isalpha() and not letter.isascii()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language: Language) -> None:
    """No space too many, no key as a text, nothing unsure, nothing that a page could take for markup."""
    known = entries(language)
    for key, entry in known.items():
        assert re.fullmatch(r"[a-z]+(\.[a-z0-9_]+)+", key), key
        assert entry.flags == (), key
        for form in entry.forms:
            assert form == form.strip(), f"{language} {key}"
            assert "  " not in form.replace("{score}  {reason}", ""), f"{language} {key}"
            assert form not in known, f"{language} {key}"
            assert "<" not in form, f"{language} {key}"


def test_the_pits_have_the_names_of_the_regulations() -> None:
    """Арт to Маңдай, from the first pit to the ninth."""
    names = "Арт, Тектұрмас, Ат өтпес, Атсыратар, Бел, Белбасар, Қандықақпан, Көкмойын, Маңдай"
    assert ", ".join(texts("kk").text(f"pit.{number}") for number in range(1, 10)) == names


def test_what_only_the_command_line_says_is_sent_to_no_page() -> None:
    """A page is given its own families; nothing that is extracted from a command stands in one of them."""
    commands = {key for path, key in keys_written(ROOT) if path.suffix == ".py" and "." in key}
    assert len(commands) > 80
    assert {key for key in commands if key.partition(".")[0] in FAMILIES} == set()


def test_a_family_has_every_code_and_a_family_nobody_declared_is_found(tmp_path: Path) -> None:
    """Codes come from where they are defined; a new family in a script is named until it is declared."""
    known = families(ROOT)
    assert {"board_differs", "drift", "journal", "no_device", "not_pressed"} <= known["wrong"]
    assert known["refused"] == {
        *("phase", "not_set_up", "no_device", "not_matching", "sealed", "illegal"),
        *("misplaced_offer", "not_heard", "seal_broken", "complaint_late", "forfeit"),
    }
    scripts = tmp_path / "firmware_bridge" / "display" / "js"
    scripts.mkdir(parents=True)
    (scripts / "new.js").write_text("put(text(`weather.${code}`), text(`side.${side}`))")
    commands = tmp_path / "firmware_bridge" / "commands"
    commands.mkdir()
    for name in ("commands/spoken.py", "cli.py"):
        (tmp_path / "firmware_bridge" / name).touch()
    assert used(tmp_path)["weather."] == "firmware_bridge/display/js/new.js"
    assert "side." not in used(tmp_path)


def test_codes_of_a_record_are_those_of_the_rules() -> None:
    """Headings, reasons and rulings: a code that the rules get must get its text."""
    record = pytest.importorskip("rules.record.model")
    own = {name.lower() for name in record.OWN_TAGS}
    known = families(ROOT)
    assert {*record.TAG_NAMES, *own} <= known["record"]
    assert set(record.RULING_KINDS) == known["ruling"]
    assert set(record.REASONS) == known["reason"]


def text_with(**forms: tuple[str, ...]) -> Mapping[str, Entry]:
    """Return entries of these keys."""
    return {key: Entry(key, form, counts=len(form) > 1) for key, form in forms.items()}


def test_what_is_written_is_read_again() -> None:
    """Quotes, backslashes, tabs and several lines survive, and comments of translators too."""
    strange = 'a "b" \\n c\t{d}\n\ne'
    found = {**text_with(one=(strange,), many=("x", "y")), "z": Entry("z", ("zz",), comments=("short",))}
    content = written("en", found.values(), {}).encode()
    assert read_entries(content) == found
    assert written("en", read_entries(content).values(), {}).encode() == content


def test_a_translator_sees_the_english_text() -> None:
    """Above the Kazakh and the Russian one, whatever its length, and not above itself."""
    english = text_with(a=("first\n\nsecond",))
    assert "#. first\n#. \n#. second\nmsgid" in written("ru", english.values(), english)
    assert "#." not in written("en", english.values(), english)
