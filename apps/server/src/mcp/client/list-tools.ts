import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { EgressError } from '../../egress/errors.ts';
import type { McpResponse } from './client.ts';
import { resultOf } from './messages.ts';

const MAX_PAGES = 20;
const MAX_TOOLS = 5_000;

/**
 * The tools of a server, from a first page on. Ends at a page that does not come: what came before it counts.
 *
 * @param send requests the page at a cursor
 */
export async function listTools(
  first: McpResponse,
  send: (cursor: string) => Promise<McpResponse>,
): Promise<readonly JsonObject[]> {
  const tools: JsonObject[] = [];
  let result = resultOf(first.response);
  for (let page = 1; result !== undefined; page += 1) {
    if (Array.isArray(result.tools)) tools.push(...result.tools.filter(isJsonObject));
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || page === MAX_PAGES || tools.length >= MAX_TOOLS) break;
    result = await resultAt(nextCursor, send);
  }
  return tools.slice(0, MAX_TOOLS);
}

async function resultAt(
  cursor: string,
  send: (cursor: string) => Promise<McpResponse>,
): Promise<JsonObject | undefined> {
  try {
    return resultOf((await send(cursor)).response);
  } catch (error) {
    if (error instanceof EgressError) return undefined;
    throw error;
  }
}
