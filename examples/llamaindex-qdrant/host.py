"""LlamaIndex + Qdrant behind retriever/1: kerf cuts, this program indexes and ranks.

kerf doctor --retriever "python host.py"    (the messages: docs/format/retriever.md)
"""

import uuid

from llama_index.core import VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import FilterOperator, MetadataFilter, MetadataFilters
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient, models

from model import MODEL, HashEmbedding
from retriever import serve

EVERYONE = ""  # in the metadata of a chunk that all may read
client, indexes = QdrantClient(":memory:"), {}


def hello(ask):
    return {"version": 1, "name": "llamaindex-qdrant", "model": MODEL, "capabilities": ["filter"]}


def index(ask):
    name = ask["index"]
    if ask["first"]:
        drop(ask)
        client.create_collection(name, models.VectorParams(size=256, distance="Cosine"))
        store = QdrantVectorStore(name, client=client)
        indexes[name] = VectorStoreIndex.from_vector_store(store, embed_model=HashEmbedding())
    nodes = []
    for c in ask["chunks"]:
        known = {"id": c["id"], "doc": c["doc"], "readers": c.get("readers", [EVERYONE])}
        key = str(uuid.uuid5(uuid.NAMESPACE_URL, c["id"]))  # Qdrant wants UUIDs
        nodes.append(TextNode(id_=key, text=c["text"], metadata=known))
        nodes[-1].excluded_embed_metadata_keys = list(known)  # the model reads the text alone
    indexes[name].insert_nodes(nodes)
    return {"chunks": client.count(name).count}


def search(ask):
    filters = []
    if "docs" in ask:
        filters.append(MetadataFilter(key="doc", value=ask["docs"], operator=FilterOperator.IN))
    if "reader" in ask:
        names = [*ask["reader"], EVERYONE]
        filters.append(MetadataFilter(key="readers", value=names, operator=FilterOperator.IN))
    retriever = indexes[ask["index"]].as_retriever(
        similarity_top_k=ask["k"], filters=MetadataFilters(filters=filters))
    found = retriever.retrieve(ask["text"])
    return {"qid": ask["qid"], "hits": [{"id": f.metadata["id"], "score": f.score} for f in found]}


def drop(ask):
    client.delete_collection(ask["index"])
    return {}


serve(hello, index, search, drop)
