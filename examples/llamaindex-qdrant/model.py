"""The model of this pipeline: LlamaIndex's face of the stand-in. Put your own here."""

import sys
from pathlib import Path

from llama_index.core.embeddings import BaseEmbedding

sys.path.append(str(Path(__file__).resolve().parent.parent))  # embedding, retriever
from embedding import MODEL, embed


class HashEmbedding(BaseEmbedding):
    model_name: str = MODEL

    def _get_text_embedding(self, text):
        return embed(text)

    def _get_query_embedding(self, query):
        return embed(query)

    async def _aget_query_embedding(self, query):
        return embed(query)
