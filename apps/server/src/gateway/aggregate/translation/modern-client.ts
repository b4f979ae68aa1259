import { isLogLevel } from '../../../mcp/log-levels.ts';
import { fieldsOf, isObject } from '../../../mcp/server/messages.ts';
import { memberOf } from '../../../mcp/translation/members.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { RESERVED } from '../../../mcp/translation/places.ts';

/** What a modern client says with its request. */
export interface Declared {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly opensUrls: boolean;
  readonly logLevel: string | undefined;
}

/** Bytes of `_meta` that are parsed. */
const MAX_META = 64 * 1024;

export function declaredBy({ bytes, object }: ReadMessage): Declared {
  const at = memberOf(memberOf(object, 'params')?.object, '_meta')?.value;
  const isShort = at !== undefined && at.end - at.start <= MAX_META;
  const meta = fieldsOf(isShort ? JSON.parse(bytes.toString('utf8', at.start, at.end)) : {});
  const capabilities = fieldsOf(meta[`${RESERVED}clientCapabilities`]);
  const logLevel = meta[`${RESERVED}logLevel`];
  return {
    capabilities,
    opensUrls: isObject(fieldsOf(capabilities.elicitation).url),
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
  };
}
