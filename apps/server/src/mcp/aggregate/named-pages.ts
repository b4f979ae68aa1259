import { MAX_TEXT } from '../envelope/messages.ts';
import { KnownKeys, textOf } from '../json/keys.ts';
import { type JsonReader, JsonScanner } from '../json/scanner.ts';

const META = new KnownKeys(['_meta']);

const PAGE_SCHEME = /^ui:/i;

const [OBJECT, ARRAY] = Buffer.from('{[');

/** By which two URIs of one page are equal; undefined for a URI that is no page of an app (`ui://`). */
export function pageKeyOf(uri: string): string | undefined {
  const key = URL.canParse(uri) ? new URL(uri).href : uri;
  return PAGE_SCHEME.test(key) ? key : undefined;
}

/**
 * The pages that a tool names (MCP Apps 2026-01-26: `ui.resourceUri` and `ui/resourceUri`; Apps SDK:
 * `openai/outputTemplate`), by their keys. Every `ui:` URI in its `_meta` counts, under any key, because parsers may
 * differ in which of two equal keys they take.
 *
 * @param definition JSON
 */
export function pagesNamedBy(definition: Buffer): readonly string[] {
  const reader = new PageFinder(definition);
  new JsonScanner(reader).feed(definition);
  return reader.pages;
}

class PageFinder implements JsonReader {
  readonly pages: string[] = [];
  readonly #definition: Buffer;
  /** Of objects and arrays that are looked into and have not ended. */
  #depth = 0;
  #isInMeta = false;
  /** Where the value begins that began last, if it is not looked into. */
  #start: number | undefined;

  constructor(definition: Buffer) {
    this.#definition = definition;
  }

  key(start: number, end: number): void {
    if (this.#depth === 1) this.#isInMeta = META.find(this.#definition, start, end) !== undefined;
  }

  begin(start: number, byte: number): boolean {
    const isContainer = byte === OBJECT || byte === ARRAY;
    const isLookedInto = isContainer && (this.#depth === 0 || this.#isInMeta);
    this.#start = isLookedInto ? undefined : start;
    if (isLookedInto) this.#depth += 1;
    return isLookedInto;
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined) this.#depth -= 1;
    else if (this.#isInMeta) this.#note(textOf(this.#definition, start, end, MAX_TEXT));
  }

  #note(text: string | null): void {
    const key = text === null ? undefined : pageKeyOf(text);
    if (key !== undefined) this.pages.push(key);
  }
}
