"""The tools on the official SDK: arguments read, work done in its thread, progress told, errors in words."""

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

from evidencegate._version import __version__
from evidencegate.errors import EvidenceGateError
from evidencegate.mcp._inputs import read
from evidencegate.mcp._shelf import Shelf
from evidencegate.mcp._tools import INSTRUCTIONS, TOOLS, Tool
from evidencegate.mcp._work import Workers

_log = logging.getLogger(__name__)
_BY_NAME = {tool.name: tool for tool in TOOLS}

Context = ServerRequestContext[dict[str, Any]]


def create_server(shelf: Shelf | None = None, *, at_once: int = 2) -> "Server[dict[str, Any]]":
    """A server of the five tools over what `shelf` holds, with at most `at_once` calls at work; the rest wait."""
    there = shelf or Shelf()
    workers = Workers(at_once)

    @asynccontextmanager
    async def lifespan(_: "Server[dict[str, Any]]") -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
        finally:
            workers.close()

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_announced(tool) for tool in TOOLS])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = _BY_NAME.get(params.name)
        if tool is None:
            tools = ", ".join(_BY_NAME)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}. Tools: {tools}.")

        async def tell(n: int, message: str) -> None:
            await context.session.report_progress(n, message=message)

        try:
            shown = await _called(tool, params.arguments or {}, there, workers, tell)
        except EvidenceGateError as error:
            return _refused(there.told(str(error)))
        except Exception:  # noqa: BLE001  (the caller learns that it was ours; the log gets it all)
            _log.exception("%s failed", tool.name)
            return _refused(
                f"{tool.name} failed inside EvidenceGate; the server's log says where. The same call may fail again: "
                "try other words, or fewer sources."
            )
        return types.CallToolResult(
            content=[types.TextContent(text=json.dumps(shown, ensure_ascii=False))], structured_content=shown
        )

    return Server(
        "evidencegate",
        title="EvidenceGate",
        version=__version__,
        instructions=f"{INSTRUCTIONS} {_reach(there)}",
        lifespan=lifespan,
        get_tool_input_schema=lambda name: _BY_NAME[name].input_schema if name in _BY_NAME else None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _called(
    tool: Tool,
    arguments: dict[str, Any],
    shelf: Shelf,
    workers: Workers,
    tell: Callable[[int, str], Awaitable[None]],
) -> dict[str, Any]:
    given = read(tool.takes, arguments)
    if not tool.waits:
        return await tool(given, shelf, lambda message: None)
    return await workers.run(lambda say: tool(given, shelf, say), tell)


def _announced(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        # What a call keeps is its own run; asking twice changes nothing for anybody.
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=tool.live,
        ),
    )


def _refused(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)


def _reach(shelf: Shelf) -> str:
    libraries = f"Libraries here: {', '.join(shelf.libraries)}." if shelf.libraries else "There is no library here."
    return f"{libraries} Live sources are not asked." if shelf.offline else libraries
