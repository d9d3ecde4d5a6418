// What kerf does, by packages of npm: node peers.mjs WORK FILE...
// Prints {"cpu": seconds of the work alone, one pass, "count": what was made}.
import { readFileSync } from "node:fs";

const read = (name) => readFileSync(name, "utf8");
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };

// One pass in CPU seconds, over passes of half a second together.
async function passes(work) {
  const begun = cpu();
  let n = 0, count;
  do { count = await work(); n++; } while (cpu() - begun < 0.5);
  return { cpu: (cpu() - begun) / n, count };
}

const words = (text) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];

// A plain BM25 over an inverted index, the first 100 hits.
function ask(chunks, questions) {
  const postings = new Map(), lengths = [];
  chunks.forEach((chunk, id) => {
    const terms = words(chunk), counts = new Map();
    for (const t of terms) counts.set(t, (counts.get(t) ?? 0) + 1);
    for (const [t, f] of counts) postings.has(t) ? postings.get(t).push([id, f]) : postings.set(t, [[id, f]]);
    lengths.push(terms.length);
  });
  const n = chunks.length, mean = lengths.reduce((a, b) => a + b, 0) / n;
  let hits = 0;
  for (const question of questions) {
    const scores = new Map();
    for (const t of new Set(words(question))) {
      const list = postings.get(t) ?? [], idf = Math.log(1 + (n - list.length + 0.5) / (list.length + 0.5));
      for (const [id, f] of list) scores.set(id, (scores.get(id) ?? 0) + idf * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * lengths[id] / mean)));
    }
    hits += [...scores].sort((a, b) => b[1] - a[1]).slice(0, 100).length;
  }
  return hits;
}

const all = {
  async eight(texts, questions) {
    const { TokenTextSplitter } = await import("@langchain/textsplitters");
    const { Tiktoken } = await import("js-tiktoken/lite");
    const tokenizer = new Tiktoken((await import("js-tiktoken/ranks/cl100k_base")).default);
    texts = JSON.parse(read(texts)); questions = JSON.parse(read(questions));
    let count = 0;
    for (const chunkSize of [256, 512, 1024, 2048]) {
      for (const chunkOverlap of [0, Math.floor(chunkSize / 5)]) {
        const splitter = new TokenTextSplitter({ chunkSize, chunkOverlap });
        splitter.tokenizer = tokenizer; // else it is downloaded
        const chunks = [];
        for (const t of texts) chunks.push(...await splitter.splitText(t));
        ask(chunks, questions);
        count += chunks.length;
      }
    }
    return count;
  },
  async setup(file) {
    const text = read(file), begun = cpu();
    const { encode } = await import("gpt-tokenizer/encoding/cl100k_base");
    const count = encode(text).length;
    return { cpu: cpu() - begun, count };
  },
  async tokens(file) {
    const { encode } = await import("gpt-tokenizer/encoding/cl100k_base");
    const text = read(file);
    encode("set up");
    return passes(() => encode(text, { disallowedSpecial: new Set() }).length);
  },
  async windows(file) {
    const { RecursiveCharacterTextSplitter } = await import("@langchain/textsplitters");
    const text = read(file), splitter = new RecursiveCharacterTextSplitter({ chunkSize: 500, chunkOverlap: 100 });
    return passes(async () => (await splitter.splitText(text)).length);
  },
};

console.log(JSON.stringify(await all[process.argv[2]](...process.argv.slice(3))));
