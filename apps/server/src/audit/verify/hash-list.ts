const BYTES = 32;
/** Numbers in one piece: a hostile file makes one for each of its lines at most. */
const PIECE = 64;

/** Hashes by the numbers of their blocks, at 32 bytes each: an export can have millions of blocks. */
export class HashList {
  readonly #pieces = new Map<number, Buffer>();

  /** Undefined for a number that has no hash yet. */
  get(number: number): string | undefined {
    const piece = this.#pieces.get(Math.floor(number / PIECE));
    const at = (number % PIECE) * BYTES;
    const hash = piece?.toString('hex', at, at + BYTES);
    return hash === undefined || /^0+$/.test(hash) ? undefined : hash;
  }

  set(number: number, hash: string): void {
    const index = Math.floor(number / PIECE);
    const piece = this.#pieces.get(index) ?? Buffer.alloc(PIECE * BYTES);
    this.#pieces.set(index, piece);
    piece.write(hash, (number % PIECE) * BYTES, 'hex');
  }
}
