/** Bytes of one chunk, about. */
const CHUNK = 256 * 1024;

/** Lines with their line breaks, many in a chunk. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}
