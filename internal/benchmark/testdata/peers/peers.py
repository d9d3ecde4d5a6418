"""What kerf does, by packages of PyPI: python peers.py WORK FILE...

Prints {"cpu": seconds of the work alone, one pass, "count": what was made}.
"""
import json
import os
import sys
import time


def read(name):
    with open(name, encoding="utf-8", newline="") as f:
        return f.read()


def passes(work):
    """One pass of work in CPU seconds, over passes of half a second together."""
    begun, n = time.process_time(), 0
    while n == 0 or time.process_time() - begun < 0.5:
        count = work()
        n += 1
    return {"cpu": (time.process_time() - begun) / n, "count": count}


def once(work):
    begun = time.process_time()
    return {"count": work(), "cpu": time.process_time() - begun}


def bm25s_asks(chunks, questions):
    import bm25s

    ranker = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    ranker.index(bm25s.tokenize(chunks, stopwords=None, show_progress=False), show_progress=False)
    asked = bm25s.tokenize(questions, stopwords=None, show_progress=False)
    return ranker.retrieve(asked, k=min(100, len(chunks)), show_progress=False).documents.size


def eight(texts, questions):
    from langchain_text_splitters import TokenTextSplitter

    texts, questions = json.loads(read(texts)), json.loads(read(questions))
    count = 0
    for size in (256, 512, 1024, 2048):
        for overlap in (0, size // 5):
            splitter = TokenTextSplitter(encoding_name="cl100k_base", chunk_size=size, chunk_overlap=overlap)
            chunks = [c for t in texts for c in splitter.split_text(t)]
            bm25s_asks(chunks, questions)
            count += len(chunks)
    return count


def lexical(chunks, questions):
    import bm25s  # not timed

    chunks, questions = json.loads(read(chunks)), json.loads(read(questions))
    return once(lambda: bm25s_asks(chunks, questions))


def tokens(file):
    import tiktoken

    text, encoding = read(file), tiktoken.get_encoding("cl100k_base")
    return passes(lambda: len(encoding.encode_ordinary(text)))


def windows(kind, file):
    text = read(file)
    if kind == "chonkie":
        from chonkie import TokenChunker

        chunker = TokenChunker(tokenizer="character", chunk_size=500, chunk_overlap=100)
        return passes(lambda: len(chunker.chunk(text)))
    if kind == "chonkie-core":
        import chonkie_core

        whole = text.encode()
        return passes(lambda: len(chonkie_core.chunk_offsets(whole, size=500, delimiters=b" ")))
    if kind == "semchunk":
        import semchunk

        # Its cache would make every further pass a look-up.
        return once(lambda: len(semchunk.chunkerify(len, 500, memoize=False)(text, offsets=True, overlap=100)[0]))
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=500, chunk_overlap=100, add_start_index=True)
    return passes(lambda: len(splitter.create_documents([text])))


def metrics(kind, run, qrels):
    if kind == "ranx":
        from ranx import Qrels, Run, evaluate

        return evaluate(Qrels.from_file(qrels, kind="trec"), Run.from_file(run, kind="trec"), ["map", "mrr", "recall@10", "ndcg@10"])
    import pytrec_eval

    with open(qrels) as f:
        judged = pytrec_eval.parse_qrel(f)
    with open(run) as f:
        ranked = pytrec_eval.parse_run(f)
    found = pytrec_eval.RelevanceEvaluator(judged, {"map", "recip_rank", "recall.10", "ndcg_cut.10"}).evaluate(ranked)
    return {m: sum(q[m] for q in found.values()) / len(found) for m in next(iter(found.values()))}


def bootstrap(kind, n, of):
    import numpy as np

    n = int(n)
    differences = np.array([(i * 7919 % 10 == 0) - (i * 104729 % 17 == 0) for i in range(n)], dtype=float)
    if of == "scores":
        differences = np.array([i * 7919 % 1009 - i * 7907 % 997 for i in range(n)], dtype=float)
    if kind == "numpy":
        rng = np.random.default_rng(1)

        def work():
            means = np.empty(10_000)
            for i in range(0, 10_000, 1_000):
                means[i : i + 1_000] = differences[rng.integers(0, n, (1_000, n))].mean(axis=1)
            return float(np.percentile(means, 97.5) - np.percentile(means, 2.5))

        return passes(work)
    from scipy import stats

    def work():
        ci = stats.bootstrap((differences,), np.mean, n_resamples=10_000, method="percentile", vectorized=True, batch=1_000).confidence_interval
        return float(ci.high - ci.low)

    return passes(work)


def single_and_union(question):
    """The first rank whose hit holds the evidence, and whether all hits together do."""
    doc, start, end = question["evidence"]
    first, pieces = 0, []
    for rank, (d, a, b) in enumerate(question["ranking"], 1):
        if d != doc or b <= start or a >= end:
            continue
        if not first and a <= start and end <= b:
            first = rank
        pieces.append((a, b))
    pieces.sort()
    for a, b in pieces:
        if a > start:
            break
        start = max(start, b)
    return first, start >= end


def spans(checks, file):
    questions = json.loads(read(file))
    length = 52 * 400  # of every document

    def check(place):
        doc, start, end = place
        if not (0 <= doc < 50 and type(start) is int and type(end) is int and 0 <= start < end <= length):
            raise ValueError("no place of a document")

    def work():
        single, union, reciprocal = 0, 0, 0.0
        for q in questions:
            if checks == "checked":
                check(q["evidence"])
                for place in q["ranking"]:
                    check(place)
                if len({tuple(place) for place in q["ranking"]}) < len(q["ranking"]):
                    raise ValueError("a place is ranked twice")
            first, together = single_and_union(q)
            if first:
                single += 1
                reciprocal += 1 / first
            union += together
        return f"{single} single, {union} union, mrr {reciprocal / len(questions):.4f}"

    return passes(work)


def worst(documents):
    import numpy as np

    g, placements, draws = int(documents), 16, 10_000
    rows = np.zeros((g, 2 * placements + 1))
    for d in range(g):
        for q in range(1 + d * 7 % 8):
            for p in range(2 * placements):
                rows[d, p] += (d * 31 + q * 17 + p * (13 + d % 5)) % (11 + p // placements) < 8
            rows[d, -1] += 1
    rng = np.random.default_rng(1)

    def work():
        drawn = rng.integers(0, g, (draws, g)) + g * np.arange(draws)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=draws * g).reshape(draws, g)
        totals = counts.astype(float) @ rows  # BLAS
        least = totals[:, placements:-1].min(axis=1) - totals[:, :placements].min(axis=1)
        low, high = np.percentile(least / totals[:, -1], [2.5, 97.5])
        return float(high - low)

    return passes(work)


def setup(file):
    import tiktoken

    text = read(file)
    return once(lambda: len(tiktoken.get_encoding("cl100k_base").encode_ordinary(text)))


if __name__ == "__main__":
    work = {"eight": eight, "lexical": lexical, "tokens": tokens, "windows": windows, "metrics": metrics, "bootstrap": bootstrap,
            "spans": spans, "worst": worst, "setup": setup}[sys.argv[1]]
    print(json.dumps(work(*sys.argv[2:])))
