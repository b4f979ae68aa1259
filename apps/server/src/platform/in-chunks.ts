const CHUNK = 256 * 1024;

/** Lines as bytes, each with its end, many in a chunk. @param size characters of a chunk, about */
export async function* inChunks(
  lines: AsyncIterable<string>,
  size = CHUNK,
): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < size) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}
