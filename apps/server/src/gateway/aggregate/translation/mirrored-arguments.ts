import type { SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import { paramHeadersOf } from '../../../mcp/param-headers.ts';
import { memberOf } from '../../../mcp/translation/members.ts';
import { type ReadMessage, rawOf } from '../../../mcp/translation/message-reader.ts';
import type { TranslatedCall } from './translated-call.ts';

/**
 * The headers that mirror arguments of a tool's call, which a legacy client does not send.
 *
 * @param request the body of the call
 */
export function mirroredArguments(
  { message }: TranslatedCall,
  request: ReadMessage,
  list: SplicedList | undefined,
): Readonly<Record<string, string>> {
  const args = rawOf(request, memberOf(request.object, 'params')?.object, 'arguments') ?? '{}';
  const tool = list?.entries.find(({ identifier }) => identifier === message.name);
  return tool === undefined ? {} : paramHeadersOf(tool.bytes, Buffer.from(args));
}
