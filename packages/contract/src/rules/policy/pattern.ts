/**
 * Whether a pattern matches a whole name: `*` stands for any run of characters, even an empty one, and everything else for
 * itself. Linear in the lengths of both.
 */
export function matches(pattern: string, name: string): boolean {
  return matchesPieces(piecesOf(pattern), name);
}

/** The text before, between and after the stars of a pattern. */
export type Pieces = readonly string[];

export function piecesOf(pattern: string): Pieces {
  return pattern.split('*');
}

/** Whether a name consists of the pieces in order, with any run of characters between them. */
export function matchesPieces(pieces: Pieces, name: string): boolean {
  const prefix = firstOf(pieces);
  if (pieces.length === 1) return prefix === name;
  const suffix = lastOf(pieces);
  const end = name.length - suffix.length;
  if (end < prefix.length || !name.startsWith(prefix) || !name.endsWith(suffix)) return false;

  const inner = pieces.length === 2 ? '' : name.slice(0, end);
  let from = prefix.length;
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i] ?? '';
    const found = find(inner, piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return true;
}

/**
 * Whether both match some name in common. Each must have a star: then the pieces between the ends can come one after
 * another, so only the ends can prevent it.
 */
export function haveCommonName(pieces: Pieces, others: Pieces): boolean {
  const [prefix, prefix2] = [firstOf(pieces), firstOf(others)];
  const [suffix, suffix2] = [lastOf(pieces), lastOf(others)];
  return (
    (prefix.startsWith(prefix2) || prefix2.startsWith(prefix)) &&
    (suffix.endsWith(suffix2) || suffix2.endsWith(suffix))
  );
}

const firstOf = (pieces: Pieces) => pieces[0] ?? '';
const lastOf = (pieces: Pieces) => pieces[pieces.length - 1] ?? '';

/** `indexOf` is quadratic in the worst case, so it is used for this many comparisons at most. */
const MAX_COMPARISONS = 65_536;

function find(text: string, piece: string, from: number): number {
  const isSmall = piece.length * (text.length - from) <= MAX_COMPARISONS;
  return isSmall ? text.indexOf(piece, from) : findLinear(text, piece, from);
}

/** The search of Knuth, Morris and Pratt: it never goes back in the text. */
function findLinear(text: string, piece: string, from: number): number {
  const borders = bordersOf(piece);
  let matched = 0;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && piece.charCodeAt(matched) !== unit) matched = borders[matched] ?? 0;
    if (piece.charCodeAt(matched) === unit) matched++;
    if (matched === piece.length) return i - matched + 1;
  }
  return -1;
}

/** For each prefix of the piece, by its length: the length of the longest shorter prefix that it also ends with. */
function bordersOf(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length + 1);
  let border = 0;
  for (let i = 1; i < piece.length; i++) {
    const unit = piece.charCodeAt(i);
    while (border > 0 && piece.charCodeAt(border) !== unit) border = borders[border] ?? 0;
    if (piece.charCodeAt(border) === unit) border++;
    borders[i + 1] = border;
  }
  return borders;
}
