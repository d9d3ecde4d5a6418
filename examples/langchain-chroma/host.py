"""LangChain + Chroma behind retriever/1: kerf cuts, this program indexes and ranks.

kerf doctor --retriever "python host.py"    (the messages: docs/format/retriever.md)
"""

import uuid

import chromadb
from langchain_chroma import Chroma
from langchain_core.documents import Document

from model import MODEL, HashEmbedding
from retriever import serve

EVERYONE = ""  # in the metadata of a chunk that all may read
client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
indexes = {}


def hello(ask):
    return {"version": 1, "name": "langchain-chroma", "model": MODEL, "capabilities": ["filter"]}


def index(ask):
    if ask["first"]:
        drop(ask)
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, ask["index"]))  # Chroma wants plain names
        indexes[ask["index"]] = Chroma(name, HashEmbedding(), client=client)
    store = indexes[ask["index"]]
    pieces = []
    for c in ask["chunks"]:
        known = {"doc": c["doc"], "readers": c.get("readers", [EVERYONE])}
        pieces.append(Document(c["text"], id=c["id"], metadata=known))
    if pieces:  # Chroma refuses empty lists, here and below
        store.add_documents(pieces)
    return {"chunks": len(store.get(include=[])["ids"])}


def search(ask):
    if ask.get("docs") == []:
        return {"qid": ask["qid"], "hits": []}
    filters = []
    if "docs" in ask:
        filters.append({"doc": {"$in": ask["docs"]}})
    if "reader" in ask:
        names = [*ask["reader"], EVERYONE]
        filters.append({"$or": [{"readers": {"$contains": name}} for name in names]})
    where = {"$and": filters} if len(filters) > 1 else filters[0] if filters else None
    found = indexes[ask["index"]].similarity_search_with_score(ask["text"], ask["k"], filter=where)
    hits = [{"id": chunk.id, "score": -distance} for chunk, distance in found]
    return {"qid": ask["qid"], "hits": hits}


def drop(ask):
    if store := indexes.pop(ask["index"], None):
        store.delete_collection()
    return {}


serve(hello, index, search, drop)
