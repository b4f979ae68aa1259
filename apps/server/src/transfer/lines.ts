/** Bytes that are written at once. */
const CHUNK = 64 * 1024;

/** Characters of one line at most: PostgreSQL has no value that is longer than 1 GB, and ours are far shorter. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Lines as bytes, each with its end. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

/** The lines of a text in UTF-8. @throws Error when the last one has no end, one is too long, or it is not UTF-8 */
export async function* toLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    for (const part of more) {
      yield rest;
      rest = part;
    }
    if (rest.length > LONGEST_LINE) throw new Error('A line is too long.');
  }
  if (rest + decoder.decode() !== '') throw new Error('The last line has no end.');
}
