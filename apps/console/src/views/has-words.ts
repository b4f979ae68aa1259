/** Whether each word of what is searched for stands in one of the texts, without regard to case. */
export function hasWords(searched: string | undefined, ...texts: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase();
  const words = (searched ?? '').toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}
