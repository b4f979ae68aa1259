/** Characters of a term that count. */
const MAX_TERM = 32;

/** Scripts that write words without a space between them: each character is a term. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}]';
const WORDS = new RegExp(`${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{N}])+`, 'gu');

/** Where a word begins within a name such as `listIssues` or `parseHTMLText`. */
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * The terms of a text: words without accents, in lower case and without the `s` of a plural. A name such as `listIssues`
 * gives its words and itself, so that `GitHub` is found as `github` and as `hub`.
 */
export function termsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.match(WORDS) ?? [];
  return words.flatMap((word) => {
    if (word === word.toLowerCase()) return termOf(word);
    const parts = word.split(HUMPS);
    return parts.length > 1 ? [...parts, word].map(termOf) : termOf(word);
  });
}

function termOf(word: string): string {
  return singularOf(word.slice(0, MAX_TERM).toLowerCase());
}

/** Not only of nouns: what counts is that a query and a text come to the same term. */
function singularOf(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('ies') && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}
