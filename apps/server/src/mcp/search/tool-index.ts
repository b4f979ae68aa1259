import { termsOf } from './terms.ts';
import type { ToolText } from './tool-text.ts';

/** What a term counts, by where it is. */
const WEIGHTS: readonly (readonly [keyof ToolText, number])[] = [
  ['name', 4],
  ['title', 3],
  ['parameters', 2],
  ['description', 1],
];

/** BM25's usual parameters: how soon repetition counts no more, and how much length counts. */
const K1 = 1.2;
const B = 0.75;

/** Terms of a query that count. */
const MAX_QUERIED = 32;

/** Characters with which a term of a query also finds longer ones: `repo` finds `repository`. */
const START = 3;
/** Terms with the same first characters that are looked through. */
const MAX_ALIKE = 500;
/** What a longer term counts at most. */
const LONGER = 0.5;

/**
 * Ranks tools by BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.6):
 * BM25, with terms that count more in a name than in a description.
 */
export class ToolIndex {
  /** By term: a tool's position, how much the term counts there, the next tool's position … */
  readonly #postings = new Map<string, number[]>();
  /** Terms by their first characters. */
  readonly #alike = new Map<string, string[]>();
  readonly #lengths: number[] = [];
  #totalLength = 0;

  /** Its position is the number of those that came before. */
  add(text: ToolText): void {
    const position = this.#lengths.length;
    const counts = new Map<string, number>();
    let length = 0;
    for (const [field, weight] of WEIGHTS) {
      for (const term of termsOf(text[field])) {
        counts.set(term, (counts.get(term) ?? 0) + weight);
        length += weight;
      }
    }
    for (const [term, count] of counts) this.#postingsOf(term).push(position, count);
    this.#lengths.push(length);
    this.#totalLength += length;
  }

  /** The positions of those that fit best, the best one first; of equals the one that was added first. */
  search(query: string, limit: number, isSought: (position: number) => boolean): number[] {
    const scores = new Float64Array(this.#lengths.length);
    const terms = [...new Set(termsOf(query))].slice(0, MAX_QUERIED);
    for (const term of terms) this.#addScores(term, scores);
    const found: number[] = [];
    for (const [position, score] of scores.entries()) {
      if (score > 0 && isSought(position)) found.push(position);
    }
    const scoreOf = (position: number): number => scores[position] ?? 0;
    return found.sort((a, b) => scoreOf(b) - scoreOf(a) || a - b).slice(0, limit);
  }

  #postingsOf(term: string): number[] {
    const known = this.#postings.get(term);
    if (known !== undefined) return known;
    const postings: number[] = [];
    this.#postings.set(term, postings);
    const start = term.slice(0, START);
    const alike = this.#alike.get(start);
    if (alike === undefined) this.#alike.set(start, [term]);
    else if (alike.length < MAX_ALIKE) alike.push(term);
    return postings;
  }

  /** A term and the longer ones count as one term that is in all of their tools. */
  #addScores(term: string, scores: Float64Array): void {
    const counts = new Float64Array(scores.length);
    this.#count(term, 1, counts);
    const alike = term.length < START ? [] : (this.#alike.get(term.slice(0, START)) ?? []);
    for (const other of alike) {
      const isLonger = other.length > term.length && other.startsWith(term);
      if (isLonger) this.#count(other, (LONGER * term.length) / other.length, counts);
    }
    const having = counts.reduce((sum, count) => (count > 0 ? sum + 1 : sum), 0);
    const rarity = Math.log(1 + (scores.length - having + 0.5) / (having + 0.5));
    const average = this.#totalLength / scores.length;
    for (let position = 0; position < scores.length; position += 1) {
      const count = counts[position] as number;
      if (count === 0) continue;
      const length = (this.#lengths[position] as number) / average;
      const score = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
      scores[position] = (scores[position] as number) + rarity * score;
    }
  }

  #count(term: string, weight: number, counts: Float64Array): void {
    const postings = this.#postings.get(term) ?? [];
    for (let at = 0; at < postings.length; at += 2) {
      const position = postings[at] as number;
      counts[position] = (counts[position] as number) + weight * (postings[at + 1] as number);
    }
  }
}
