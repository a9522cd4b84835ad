"""Files that users send: what is read of them, and what is refused."""

import asyncio
import gzip
import io
import json
from pathlib import Path

import pytest
from fastapi import UploadFile
from web_support import ARTICLES

from evidencegate.errors import InvalidInput, ReaderError
from evidencegate.web._uploads import documents_of, text_of, uploaded


def sent(content: bytes, name: str) -> UploadFile:
    return UploadFile(io.BytesIO(content), filename=name)


def test_what_a_file_is_its_content_says() -> None:
    rows = "\n".join(map(json.dumps, ARTICLES)).encode()
    files = [
        sent(gzip.compress(rows), "renamed.pdf"),
        sent(b"An invented remark on zelfaban.", "../remark"),
        sent(b"%PDF-1.7 no more", "broken.txt"),
        sent(b"", "empty.xml"),
    ]
    documents, faults = asyncio.run(documents_of(files))
    assert [document.title for document in documents] == [ARTICLES[0]["title"], "An invented remark on zelfaban."]
    assert documents[0].identifiers.pmid == "900000001"
    assert [fault.partition(":")[0] for fault in faults] == ["broken.txt", "empty.xml"]


def test_a_text_is_read_from_its_file() -> None:
    assert asyncio.run(text_of(sent("Zelfaban’s effect.".encode(), "a.md"))) == "Zelfaban’s effect."
    with pytest.raises(ReaderError, match=r"^scan\.pdf"):
        asyncio.run(text_of(sent(b"%PDF-1.7 no more", "scan.pdf")))


def test_more_than_a_check_can_hold_is_refused() -> None:
    row = {"id": "x", "title": "t", "abstract": "Zelfaban is invented."}
    rows = "\n".join(json.dumps({**row, "id": f"x{n}"}) for n in range(501)).encode()
    with pytest.raises(InvalidInput, match="library"):
        asyncio.run(documents_of([sent(rows, "many.jsonl")]))
    with pytest.raises(InvalidInput, match="1 to 50"):
        asyncio.run(documents_of([]))


def test_nothing_is_left_of_an_upload() -> None:
    async def kept() -> list[Path]:
        async with uploaded([sent(b"x", "a.txt"), sent(b"y", "../../b.PDF")]) as uploads:
            assert [upload.path.name for upload in uploads] == ["upload-1.txt", "upload-2.pdf"]
            assert all(upload.path.exists() for upload in uploads)
            return [upload.path for upload in uploads]

    assert not any(path.parent.exists() for path in asyncio.run(kept()))
