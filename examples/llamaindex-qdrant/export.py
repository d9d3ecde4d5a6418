"""What a LlamaIndex + Qdrant pipeline has read, cut and found, as files for kerf.

python export.py [FOLDER [GOLDEN [OUT]]] writes texts.jsonl, chunks.jsonl, rankings.jsonl to OUT.
"""

import json
import sys
import uuid
from pathlib import Path

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient

from model import HashEmbedding

HANDBOOK = Path(__file__).resolve().parent.parent / "handbook"


def node_id(number, document):  # the default ids are random; Qdrant wants UUIDs
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{document.id_}#{number}"))


def write(file, *lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_bytes(text.encode())


def main(folder=HANDBOOK / "docs", golden=HANDBOOK / "golden.jsonl", out="."):
    folder, out = Path(folder), Path(out)
    documents = []
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = file.relative_to(folder).as_posix()
        documents.append(Document(id_=name, text=file.read_bytes().decode()))
    splitter = SentenceSplitter(chunk_size=256, chunk_overlap=32, id_func=node_id)
    nodes = splitter.get_nodes_from_documents(documents)
    texts = [{"doc": d.id_, "text": d.text} for d in documents]
    write(out / "texts.jsonl", {"kerf": "texts/1"}, *texts)
    chunks = []
    for node in nodes:
        chunks.append({"doc": node.ref_doc_id, "id": node.id_, "text": node.text})
        if node.start_char_idx is not None:  # None: its text was not found in the document
            chunks[-1] |= {"start": node.start_char_idx, "end": node.end_char_idx}
    write(out / "chunks.jsonl", {"kerf": "chunks/1", "unit": "codepoint"}, *chunks)

    store = QdrantVectorStore("handbook", client=QdrantClient(":memory:"))
    index = VectorStoreIndex.from_vector_store(store, embed_model=HashEmbedding())
    index.insert_nodes(nodes)
    retriever = index.as_retriever(similarity_top_k=100)
    rankings = []
    for question in map(json.loads, Path(golden).read_bytes().splitlines()[1:]):
        found = retriever.retrieve(question["question"])
        hits = [{"id": hit.node_id, "score": hit.score} for hit in found]
        rankings.append({"qid": question["qid"], "hits": hits})
    header = {"kerf": "rankings/1", "unit": "codepoint", "name": "llamaindex-qdrant"}
    write(out / "rankings.jsonl", header, *rankings)


main(*sys.argv[1:])
