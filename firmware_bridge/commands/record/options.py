"""Options that several verbs share."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from firmware_bridge.commands.common import later
from rules.notation.forms import Notation
from rules.position import Side

NARROWEST_SCREEN = 60
"""Columns of the narrowest screen that everything is made for."""

Inputs = Annotated[
    list[str] | None,
    typer.Argument(help=later("record.cli.inputs"), metavar="INPUT", show_default=False),
]
Width = Annotated[
    int | None,
    typer.Option(help=later("record.cli.width"), min=NARROWEST_SCREEN, max=1000, show_default=False),
]
Ascii = Annotated[bool, typer.Option("--ascii", help=later("record.cli.ascii"))]
InNotation = Annotated[Notation, typer.Option(help=later("record.cli.notation"))]
Bottom = Annotated[Side, typer.Option(help=later("record.cli.bottom"))]
PitNames = Annotated[bool, typer.Option("--pit-names", help=later("record.cli.pit_names"))]
Diagrams = Annotated[bool, typer.Option(help=later("record.cli.diagrams"))]
GameNumber = Annotated[
    int | None, typer.Option("--game", min=1, help=later("record.cli.game"), show_default=False)
]
OutputFile = Annotated[
    str | None,
    typer.Option("-o", "--output", help=later("record.cli.output"), metavar="FILE", show_default=False),
]
Force = Annotated[bool, typer.Option("--force", help=later("record.cli.force"))]


PlyText = Annotated[
    str | None, typer.Option("--ply", help=later("record.cli.ply"), metavar="PLY", show_default=False)
]


class Prefer(Enum):
    """Which of two records decides where they contradict each other."""

    FIRST = "first"
    """The one named first."""
    SECOND = "second"
    """The one named second."""
