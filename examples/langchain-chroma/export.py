"""What a LangChain + Chroma pipeline has read, cut and found, as files for kerf.

python export.py [FOLDER [GOLDEN [OUT]]] writes texts.jsonl, chunks.jsonl, rankings.jsonl to OUT.
"""

import json
import sys
from pathlib import Path

from chromadb import Settings
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

from model import HashEmbedding

HANDBOOK = Path(__file__).resolve().parent.parent / "handbook"


def write(file, *lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_bytes(text.encode())


def main(folder=HANDBOOK / "docs", golden=HANDBOOK / "golden.jsonl", out="."):
    folder, out = Path(folder), Path(out)
    documents = []
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = file.relative_to(folder).as_posix()
        documents.append(Document(file.read_bytes().decode(), metadata={"doc": name}))
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=1000, chunk_overlap=200, add_start_index=True)
    pieces = splitter.split_documents(documents)
    texts = [{"doc": d.metadata["doc"], "text": d.page_content} for d in documents]
    write(out / "texts.jsonl", {"kerf": "texts/1"}, *texts)
    chunks = []
    for number, piece in enumerate(pieces):
        doc, start, text = piece.metadata["doc"], piece.metadata["start_index"], piece.page_content
        piece.id = f"{doc}#{number}"
        chunks.append({"doc": doc, "id": piece.id, "text": text})
        if start >= 0:  # -1: its text was not found in the document
            chunks[-1] |= {"start": start, "end": start + len(text)}
    write(out / "chunks.jsonl", {"kerf": "chunks/1", "unit": "codepoint"}, *chunks)

    quiet = Settings(anonymized_telemetry=False)
    store = Chroma("handbook", HashEmbedding(), client_settings=quiet)
    store.add_documents(pieces)
    rankings = []
    for question in map(json.loads, Path(golden).read_bytes().splitlines()[1:]):
        found = store.similarity_search_with_score(question["question"], k=100)
        hits = [{"id": piece.id, "score": -distance} for piece, distance in found]
        rankings.append({"qid": question["qid"], "hits": hits})
    header = {"kerf": "rankings/1", "unit": "codepoint", "name": "langchain-chroma"}
    write(out / "rankings.jsonl", header, *rankings)


main(*sys.argv[1:])
