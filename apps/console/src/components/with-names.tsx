/** Unicode's marks for what `<bdi>` does: FIRST STRONG ISOLATE, and POP DIRECTIONAL ISOLATE. */
const [BEGIN, END] = ['\u2068', '\u2069'];
const MARKED = /\u2068([^\u2069]*)\u2069/;

/** A name in a sentence, with marks that keep its direction from its neighbours. `WithNames` shows them. */
export function isolated(name: string): string {
  return `${BEGIN}${name.replaceAll(/[\u2066-\u2069]/g, '')}${END}`;
}

const parts = (text: string) => text.split(MARKED).map((part, place) => ({ part, place }));

/** A sentence, each name in a `<bdi>`: names of one line may be written from right to left. */
export function WithNames({ text }: { text: string }) {
  return parts(text).map(({ part, place }) =>
    place % 2 === 0 ? part : <bdi key={place}>{part}</bdi>,
  );
}
