"""The MCP server with the client of the `mcp` package, connected in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import Implementation

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.servers.library_access import LibraryAccess, Models
from desktop_app.servers.mcp_server import build_server
from tests.fakes import HashEmbedder, ScriptedChatModel
from tests.story_library import HELPED, add_help
from tests.unit.servers.conftest import ANSWER

READING = {
    "search",
    "ask",
    "find_entity",
    "get_entity",
    "neighbours",
    "events",
    "path",
    "read_passage",
    "list_documents",
}
EDITING = {
    "rename_entity",
    "merge_entities",
    "set_type",
    "describe_entity",
    "add_alias",
    "connect_entities",
    "delete_entity",
}


def talk(
    library: Library,
    work: Callable[[Client], Awaitable[None]],
    *,
    may_edit: bool = False,
    mode: str = "auto",
    client_name: str = "Reading Room",
) -> None:
    """Run work with a client of the server of a library."""
    models = Models(lambda: ScriptedChatModel([ANSWER]), HashEmbedder)
    server = build_server(LibraryAccess(library, models, may_edit=may_edit))

    async def run() -> None:
        name = Implementation(name=client_name, version="1")
        async with Client(server, client_info=name, mode=mode) as client:
            await work(client)

    anyio.run(run)


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """Return what a tool gives, or the text of its error."""
    result = await client.call_tool(tool, arguments)
    if result.is_error or result.structured_content is None:
        return result.content[0].text
    content = result.structured_content
    return content["result"] if set(content) == {"result"} else content


def test_tools_read_the_library(story_library: Library):
    add_help(story_library)

    async def work(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == READING
        assert all(tool.annotations.read_only_hint and tool.description for tool in listed)
        found = await call(client, "search", question="Who wound the clocks?", limit=3)
        [best, *_] = found["passages"]
        assert (best["title"], best["document"]) == ("clock", 1)
        about = await call(client, "search", question="What did Clara Wren do?")
        assert "Clara Wren" in {one["name"] for one in about["names"]} and about["connections"]
        only = await call(client, "search", question="clocks", documents=["tea"])
        assert {one["title"] for one in only["passages"]} == {"tea"}
        part = await call(
            client, "read_passage", document=1, start=best["start"], end=best["start"] + 40
        )
        assert part["text"] == best["text"][:40]
        asked = await call(client, "ask", question="Who wound the clocks?")
        assert asked["passages"] and "answer" not in asked
        asked = await call(client, "ask", question="Who wound the clocks?", with_answer=True)
        assert asked["answer"].startswith("Clara Wren")
        assert asked["citations"][0]["title"] == "clock" and asked["citations"][0]["quote"]
        assert [e["name"] for e in await call(client, "find_entity", text="clara")] == [
            "Clara Wren"
        ]
        clara = await call(client, "get_entity", name="Clara Wren")
        assert clara["type"] == "person" and clara["mentions"][0]["title"] == "clock"
        near = await call(client, "neighbours", name="Clara Wren", limit=2)
        assert len(near) == 2 and near[0]["sentence"]
        [helped] = await call(client, "events", name="Clara Wren")
        people = helped["actors"], helped["patients"], helped["places"]
        assert (helped["kind"], *people) == ("helps", ["Clara Wren"], ["Tobias Wren"], [])
        assert helped["sentence"] == " ".join(HELPED.split()) and helped["title"] == "clock"
        ways = await call(client, "path", source="Tobias Wren", target="Edmund Marsh")
        assert ways[0]["names"][0] == "Tobias Wren" and ways[0]["steps"][0]["evidence"]
        assert [d["title"] for d in await call(client, "list_documents")] == ["tea", "clock"]

    talk(story_library, work)


def test_a_client_sees_the_steps_of_an_answer(story_library: Library):
    seen: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))

    async def work(client: Client) -> None:
        question = {"question": "Who wound the clocks?", "with_answer": True}
        result = await client.call_tool("ask", question, progress_callback=note)
        assert result.structured_content["answer"].startswith("Clara Wren")

    talk(story_library, work)
    numbers = [number for number, _ in seen]
    assert numbers == sorted(set(numbers)) and len(numbers) > 1
    assert {"Finding passages", "Checking the answer"} <= {words for _, words in seen}


@pytest.mark.parametrize("mode", ["overview", "drift"])
def test_questions_about_all_documents_need_no_stored_reports(story_library: Library, mode: str):
    async def work(client: Client) -> None:
        question = {"question": "What is it all about?", "mode": mode}
        found = await call(client, "search", **question)
        assert found["passages"] and found["names"] is not None
        assert (await call(client, "ask", **question))["passages"]
        answer = await call(client, "ask", **question, with_answer=True)
        assert answer["citations"]

    talk(story_library, work)
    assert story_library.writer.value("SELECT count(*) FROM community") == 0


def test_documents_and_reports_are_resources(story_library: Library):
    refresh_communities(story_library.writer)
    row = next(r for r in CommunityReader(story_library.writer).tree() if not r.is_loose)

    async def work(client: Client) -> None:
        listed = [one.uri for one in (await client.list_resources()).resources]
        assert set(listed) >= {
            "inkgraph://documents",
            "inkgraph://documents/1",
            "inkgraph://reports",
        }
        text = (await client.read_resource("inkgraph://documents/1")).contents[0].text
        assert text == LibraryReader(story_library.writer).fetch_text(1)
        assert f"inkgraph://reports/{row.id}" in listed
        report = (await client.read_resource(f"inkgraph://reports/{row.id}")).contents[0].text
        assert report.startswith(f"# {row.title}") and row.top_names[0] in report
        for missing in ("documents/99", "documents/one", "reports/99", "nothing"):
            with pytest.raises(MCPError):
                await client.read_resource(f"inkgraph://{missing}")

    talk(story_library, work)


def test_what_cannot_be_done_has_a_clear_error(story_library: Library):
    async def work(client: Client) -> None:
        assert "There is no “Nobody”" in await call(client, "get_entity", name="Nobody")
        assert "no mode “sideways”" in await call(client, "search", question="x", mode="sideways")
        assert "No document is called “x”" in await call(
            client, "search", question="x", documents=["x"]
        )
        assert "no longer in the library" in await call(client, "read_passage", document=99)
        far = await call(client, "read_passage", document=10**30)
        assert "document" in far and "less than or equal" in far
        assert "there is no offset" in await call(client, "read_passage", document=1, start=10**6)
        assert "The question is empty" in await call(client, "ask", question=" ")
        assert "limit" in await call(client, "search", question="x", limit=0)
        assert "rename_entity" in await call(client, "rename_entity", name="a", new_name="b")
        moved = story_library.path.with_name("elsewhere.inkgraph")
        story_library.path.rename(moved)
        assert "was moved, deleted or replaced" in await call(client, "list_documents")
        assert "was moved, deleted or replaced" in await call(client, "search", question="x")
        moved.rename(story_library.path)

    talk(story_library, work)
    assert LibraryReader(story_library.writer).list_history() == []


def test_the_name_of_a_client_has_no_control_characters(story_library: Library):
    async def work(client: Client) -> None:
        await call(client, "rename_entity", name="Captain Hale", new_name="Robert Hale")

    name = "\x1b[31mEvil\u202e\x07\nClient"
    talk(story_library, work, may_edit=True, client_name=name)
    [edit] = LibraryReader(story_library.writer).list_history()
    assert str(edit.label).endswith("([31mEvil Client)") and str(edit.label).isprintable()


def test_a_new_description_of_a_connection_keeps_its_keywords(story_library: Library):
    reader = LibraryReader(story_library.writer)
    [relation, *_] = reader.top_relations(1)
    EditingService(story_library.writer).edit_relation(relation.id, keywords=["tea", "clocks"])

    async def work(client: Client) -> None:
        done = await call(
            client, "connect_entities", source=relation.target, target=relation.source,
            description="They meet.",
        )  # fmt: skip
        assert done.startswith("Done")

    talk(story_library, work, may_edit=True)
    [after] = [r for r in reader.top_relations(99) if r.source_id == relation.source_id
               and r.target_id == relation.target_id]  # fmt: skip
    assert (after.description, after.keywords) == ("They meet.", ("tea", "clocks"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_each_change_is_one_edit_with_the_name_of_the_assistant(story_library: Library, mode: str):
    async def work(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == READING | EDITING
        done = await call(client, "rename_entity", name="Captain Hale", new_name="Robert Hale")
        assert done.endswith("Rename “Captain Hale” to “Robert Hale” (Reading Room)")
        again = await call(client, "rename_entity", name="Robert Hale", new_name="Robert Hale")
        assert again.startswith("Nothing changed")
        await call(client, "set_type", name="Robert Hale", type="other")
        await call(client, "describe_entity", name="Robert Hale", description="A captain.")
        await call(client, "add_alias", name="Robert Hale", alias="the captain")
        await call(
            client, "connect_entities", source="Robert Hale", target="Clara Wren",
            description="They meet.",
        )  # fmt: skip
        await call(client, "merge_entities", name="Robert Hale", others=["Edmund Marsh"])
        card = await call(client, "get_entity", name="Robert Hale")
        assert (card["type"], card["description"]) == ("other", "A captain.")
        assert {"the captain", "Edmund Marsh"} <= set(card["aliases"])
        assert "is not a type" in await call(client, "set_type", name="Robert Hale", type="x")
        await call(client, "delete_entity", name="Robert Hale")

    talk(story_library, work, may_edit=True, mode=mode)
    editing, reader = EditingService(story_library.writer), LibraryReader(story_library.writer)
    labels = [str(row.label) for row in reader.list_history()]
    assert len(labels) == 7 and all(label.endswith("(Reading Room)") for label in labels)
    for _ in labels:
        editing.undo()
    assert reader.find_by_names(["Captain Hale"]) and reader.find_by_names(["Edmund Marsh"])
    editing.rename(reader.find_by_names(["Captain Hale"]), "Hale")
    assert "Reading Room" not in reader.list_history()[0].label  # the user's own edits
