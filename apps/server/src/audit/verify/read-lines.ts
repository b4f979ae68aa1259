/** Characters of the longest line. A block with 10,000 management events has 1.3 million. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** A file is not lines of text in UTF-8. */
export class UnreadableLines extends Error {
  override readonly name = 'UnreadableLines';
}

/**
 * The lines of a text in UTF-8, each of which has an end.
 *
 * @throws UnreadableLines
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = decode(decoder, chunk).split('\n');
    rest += first;
    for (const part of more) {
      yield rest;
      rest = part;
    }
    if (rest.length > LONGEST_LINE) throw new UnreadableLines('A line is too long.');
  }
  if (rest + decode(decoder) !== '') throw new UnreadableLines('The last line has no end.');
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    throw new UnreadableLines('A part of the file is not text in UTF-8.', { cause });
  }
}
