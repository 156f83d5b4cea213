"""The names of the faults and their articles."""

import ast
import inspect
from itertools import pairwise

import pytest

from rules import Side
from rules.infractions import kinds
from rules.infractions.kinds import ARTICLES, Fault, Infraction


def test_there_are_more_than_forty_kinds() -> None:
    """So many ways to offend can be told apart by name."""
    assert len(Fault) >= 40


def test_every_fault_has_its_articles() -> None:
    """No fault is told without the article that it offends against."""
    assert set(ARTICLES) == set(Fault)
    assert all(ARTICLES.values())


@pytest.mark.parametrize("fault", Fault)
def test_a_value_is_a_key_for_texts(fault: Fault) -> None:
    """Names are lower snake case, and the value is the name."""
    assert fault.value == fault.name.lower()


def test_the_docstring_of_each_fault_names_its_articles() -> None:
    """What is written beside a fault and what is told of it are the same."""
    tree = ast.parse(inspect.getsource(kinds))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Fault").body
    told: dict[str, str] = {}
    for assigned, text in pairwise(body):
        if isinstance(assigned, ast.Assign) and isinstance(text, ast.Expr):
            told[ast.unparse(assigned.targets[0])] = ast.unparse(text)
    assert set(told) == {fault.name for fault in Fault}
    for fault in Fault:
        assert all(article in told[fault.name] for article in ARTICLES[fault])


def test_an_infraction_carries_its_articles() -> None:
    """Whoever is told of it need not look them up."""
    assert Infraction(Fault.TUZDYK_ON_NINE, Side.BASTAUSHY, 17, 3).articles == ("1.4.1", "1.4.3")
