import { MAX_TEXT } from '../envelope/messages.ts';
import { parseAtOnce } from '../json/parse.ts';
import { EVERYTHING, objectOf } from '../json/shape.ts';

const PAGE_SCHEME = /^ui:/i;

const DEFINITION = objectOf([], { _meta: EVERYTHING });

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
  const pages: string[] = [];
  const found = [...(parseAtOnce(definition, DEFINITION)?.members ?? [])];
  for (let value = found.pop(); value !== undefined; value = found.pop()) {
    for (const member of value.members) found.push(member);
    for (const item of value.items) found.push(item);
    const text = value.string(definition, MAX_TEXT);
    const key = text === null ? undefined : pageKeyOf(text);
    if (key !== undefined) pages.push(key);
  }
  return pages;
}
