"""Topics are spelled in one way and read back strictly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire import topics

IDS = st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True)


@given(event=IDS, board=IDS, leaf=st.sampled_from(topics.LEAVES))
def test_a_built_topic_is_read_back_the_same(event: str, board: str, leaf: topics.Leaf) -> None:
    """Building and parsing are inverse."""
    text = topics.build(event, board, leaf)
    assert topics.parse(text) == topics.BoardTopic(event, board, leaf)
    assert str(topics.parse(text)) == text


@given(st.text(max_size=80))
def test_any_text_is_a_topic_of_ours_or_a_topic_error(text: str) -> None:
    """Foreign topics raise nothing but TopicError."""
    try:
        topics.parse(text)
    except topics.TopicError:
        return
    assert text.startswith("tk/1/")


@pytest.mark.parametrize(
    "text",
    [
        "tk/2/almaty/board/b01/state",
        "tk/1/almaty/board/b01/cmd",
        "tk/1/almaty/board/b01",
        "tk/1/almaty/board/b01/state/x",
        "tk/1/Almaty/board/b01/state",
        "tk/1/almaty/board/+/state",
        "tk/1//board/b01/state",
        "tk/1/almaty/board/b01\n/state",
    ],
)
def test_a_foreign_topic_is_refused_by_name(text: str) -> None:
    """The error names what does not fit."""
    with pytest.raises(topics.TopicError):
        topics.parse(text)


@pytest.mark.parametrize("bad", ["", "B01", "a/b", "+", "#", "a" * 33, "б01", "b01\n"])
def test_an_id_that_could_reach_foreign_topics_is_refused(bad: str) -> None:
    """Wildcards, slashes and foreign letters never get into a topic."""
    with pytest.raises(topics.TopicError, match="board id"):
        topics.build("almaty", bad, "state")


def test_filters_reach_one_event_or_all() -> None:
    """None stands for every event and every leaf."""
    assert topics.boards_filter() == "tk/1/+/board/+/+"
    assert topics.boards_filter("almaty", "state") == "tk/1/almaty/board/+/state"


@given(event=IDS, board=IDS, leaf=st.sampled_from(["cmd", "ack"]))
def test_a_topic_of_commands_is_read_back_the_same(event: str, board: str, leaf: topics.CommandLeaf) -> None:
    """And is none of the board's telling, which is decoded as a payload."""
    text = topics.build_command(event, board, leaf)
    assert text == f"tk/1/{event}/board/{board}/{leaf}"
    assert topics.command_topic(text) == topics.CommandTopic(event, board, leaf)
    with pytest.raises(topics.TopicError):
        topics.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "tk/2/almaty/board/b01/cmd",
        "tk/1/almaty/board/b01/state",
        "tk/1/almaty/board/b01/cmd/x",
        "tk/1/almaty/board/b01",
        "tk/1/almaty/board/+/cmd",
        "tk/1/Almaty/board/b01/ack",
        "tk/1/almaty/hall/b01/cmd",
        "",
    ],
)
def test_another_topic_is_none_of_commands(text: str) -> None:
    """None is no error: whoever asks has other topics too."""
    assert topics.command_topic(text) is None


def test_the_filter_of_answers_reaches_one_event() -> None:
    """Its id is checked, for a wildcard would reach the others."""
    assert topics.acks_filter("almaty") == "tk/1/almaty/board/+/ack"
    with pytest.raises(topics.TopicError, match="event id"):
        topics.acks_filter("+")
    with pytest.raises(topics.TopicError, match="board id"):
        topics.build_command("almaty", "#", "cmd")
