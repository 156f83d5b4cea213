"""One thing at a time: what a board has to do, in the order in which it came."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from rules.errors import RulesError

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]
T = TypeVar("T")


class Turns(asyncio.Queue[Work]):
    """Work that waits for its turn."""

    async def serve(self) -> None:
        """Do the work as it comes, until cancelled."""
        while True:
            work = await self.get()
            try:
                await work()
            except RulesError:
                # The game stands as it stood; a board that ends over one input would help nobody.
                log.exception("something that cannot follow was left out; please report it")

    async def in_turn(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do `work` when its turn has come, and return what comes of it.

        Raises:
            RulesError: Of `work`; the loop has logged it.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def turn() -> None:
            try:
                result = await work()
            except RulesError as error:
                if not done.done():
                    done.set_exception(error)
                raise
            if not done.done():
                done.set_result(result)

        await self.put(turn)
        return await done
