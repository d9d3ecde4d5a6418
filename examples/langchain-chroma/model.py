"""The model of this pipeline: LangChain's face of the stand-in. Put your own here."""

import sys
from pathlib import Path

from langchain_core.embeddings import Embeddings

sys.path.append(str(Path(__file__).resolve().parent.parent))  # embedding, retriever
from embedding import MODEL, embed


class HashEmbedding(Embeddings):
    def embed_documents(self, texts):
        return [embed(text) for text in texts]

    def embed_query(self, text):
        return embed(text)
