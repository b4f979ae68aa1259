/** Definitions of one statement, and their characters unless one alone has more: the embedded database holds the process for about 10 ms. */
const PART = 200;
const PART_TEXT = 64 * 1024;

interface Defined {
  readonly definition: string | null;
}

/** Cuts what is to be written into statements. */
export function* partsOf<Row extends Defined>(rows: Iterable<Row>): Generator<readonly Row[]> {
  let part: Row[] = [];
  let text = 0;
  for (const row of rows) {
    const length = row.definition?.length ?? 0;
    if (part.length === PART || (part.length > 0 && text + length > PART_TEXT)) {
      yield part;
      part = [];
      text = 0;
    }
    part.push(row);
    text += length;
  }
  if (part.length > 0) yield part;
}
