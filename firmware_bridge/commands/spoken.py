"""A command line that explains itself in the language of whoever asks.

Typer wants every help text when a command is built, before anybody knows the language. So the texts of our
commands are keys, marked with `common.later`, and become words when help is shown: `SpokenGroup` and
`SpokenCommand` are the classes of everything `togyz` can be told. What Typer says of itself is put into
words here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from firmware_bridge.commands.common import say, speech

_OPTION: Final = "--language"

_STRINGS: Final[Mapping[str, str]] = {
    "ARGUMENTS_PANEL_TITLE": "usage.arguments",
    "OPTIONS_PANEL_TITLE": "usage.options",
    "COMMANDS_PANEL_TITLE": "usage.commands",
    "ERRORS_PANEL_TITLE": "usage.error",
    "ABORTED_TEXT": "usage.aborted",
    "DEFAULT_STRING": "usage.default",
    "REQUIRED_LONG_STRING": "usage.required",
    "RICH_HELP": "usage.try_help",
}
"""Typer's own words, by their names in `typer.rich_utils`, where it takes them from when it shows them."""

_HELP: Final[Mapping[str, str]] = {
    "Install completion for the current shell.": "usage.install_completion",
    "Show completion for the current shell, to copy it or customize the installation.": (
        "usage.show_completion"
    ),
    "Show this message and exit.": "usage.help",
}
"""Help texts of the options that Typer adds by itself."""

_COMPLAINTS: Final = tuple(
    (re.compile(pattern, re.DOTALL), key)
    for pattern, key in (
        (r"Missing argument (?P<name>'[^']+')\.(?P<rest>.*)", "usage.missing_argument"),
        (r"Missing option (?P<name>.+?)\.(?P<rest>.*)", "usage.missing_option"),
        (r"\s*Choose from:\s*(?P<choices>.+)", "usage.choose_from"),
        (r"Invalid value for (?P<name>.+?): (?P<rest>.+)", "usage.invalid_value"),
        (r"(?:Value error, )?(?P<value>'.*') is not one of (?P<choices>.+)\.", "usage.not_one_of"),
        (r"Input should be a valid integer.*", "usage.no_integer"),
        (r"Input should be greater than or equal to (?P<limit>\S+)", "usage.too_small"),
        (r"Input should be less than or equal to (?P<limit>\S+)", "usage.too_large"),
        (r"No such option: (?P<name>\S+)(?P<rest>.*)", "usage.no_such_option"),
        (r" \(Possible options: (?P<choices>.+)\)", "usage.possible_options"),
        (r"No such command (?P<name>'[^']*')\.?(?P<rest>.*)", "usage.no_such_command"),
        (r" Did you mean (?P<choices>.+)\?", "usage.did_you_mean"),
        (r"Missing command\.", "usage.missing_command"),
        (r"Got unexpected extra argument\(?s?\)? \((?P<words>.*)\)", "usage.extra_words"),
        (r"Option (?P<name>'[^']+') requires an argument\.", "usage.option_needs_value"),
        (r"Option (?P<name>'[^']+') does not take a value\.", "usage.option_takes_none"),
    )
)
"""What Typer complains of, and our text for it; a `rest` is put into words by itself."""


class _SpokenUsage:
    """What a command and a group have in common."""

    help: str | None
    params: list[Any]
    options_metavar: str | None
    subcommand_metavar: str

    def get_help_option(self, ctx: Any) -> Any:
        """Return Typer's `--help`, explained in our words."""
        option = super().get_help_option(ctx)  # type: ignore[misc] # of the class it is mixed into
        if option is not None:
            option.help = _in_words(option.help)
        return option

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line that shows how the command is called."""
        self.options_metavar = say("usage.options_here")
        self.subcommand_metavar = say("usage.command_here")
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined] # ditto
        formatter.write_usage(ctx.command_path, pieces, prefix=say("usage.usage") + " ")

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the help, having put every key in it into words."""
        put_into_words(self)
        _lend_words()
        super().format_help(ctx, formatter)  # type: ignore[misc] # ditto


class SpokenCommand(_SpokenUsage, TyperCommand):
    """A command whose help texts are keys."""


class SpokenGroup(_SpokenUsage, TyperGroup):
    """A group of commands whose help texts are keys; the first of them chooses the language."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> typer.Context:
        """Read this group's part of the command line, in the language that it asks for."""
        if parent is None:
            speech.option = language_asked(args)
        with _complaints_told():
            return super().make_context(info_name, args, parent, **extra)  # type: ignore[return-value] # Typer's own

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        if ctx.parent is not None:
            return super().invoke(ctx)
        with _complaints_told():
            return super().invoke(ctx)


class SpokenError(typer.BadParameter):
    """A complaint of Typer in our words; shown as it is."""

    def format_message(self) -> str:
        """Return the complaint."""
        return self.message


def language_asked(words: Sequence[str]) -> str | None:
    """Return what `--language` says among the options before the subcommand; None: nothing.

    Help is shown, and a wrong word is told, before Typer has read the options.
    """
    rest = iter(words)
    for word in rest:
        if word == _OPTION:
            return next(rest, None)
        if word.startswith(f"{_OPTION}="):
            return word.partition("=")[2]
        if not word.startswith("-"):
            return None
    return None


def put_into_words(command: Any) -> None:
    """Replace the keys in the help of a command, its parameters and its subcommands by their texts."""
    command.help = _in_words(command.help)
    for parameter in command.params:
        parameter.help = _in_words(parameter.help)
    for subcommand in getattr(command, "commands", {}).values():
        put_into_words(subcommand)


def _in_words(text: str | None) -> str | None:
    if text is None:
        return None
    key = _HELP.get(text, text)
    return say(key) if speech.texts.knows(key) else text


def complaint_in_words(text: str) -> str:
    """Return what Typer complains of in our words; what is not known stays as it is."""
    for pattern, key in _COMPLAINTS:
        found = pattern.fullmatch(text)
        if found is not None:
            gaps = {name: re.sub(r"\s+", " ", value) for name, value in found.groupdict().items()}
            rest = complaint_in_words(found["rest"]) if found.groupdict().get("rest") else ""
            return say(key, **{**gaps, "rest": rest}).strip()
    return text


@contextmanager
def _complaints_told() -> Iterator[None]:
    try:
        yield
    except typer.TyperException as error:
        _lend_words()
        if type(error).__name__ == "NoArgsIsHelpError" or isinstance(error, SpokenError):
            raise
        told = complaint_in_words(error.format_message())
        raise SpokenError(told, ctx=getattr(error, "ctx", None)) from error


def _lend_words() -> None:
    from typer import rich_utils  # noqa: PLC0415 - slow to load, and needed for help and errors only

    for name, key in _STRINGS.items():
        setattr(rich_utils, name, say(key))
