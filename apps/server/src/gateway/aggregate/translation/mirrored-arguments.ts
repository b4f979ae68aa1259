import { paramHeadersOf } from '../../../mcp/param-headers.ts';
import { memberOf } from '../../../mcp/translation/members.ts';
import { type ReadMessage, rawOf } from '../../../mcp/translation/message-reader.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';

/**
 * The headers that mirror arguments of a tool's call, which a legacy client does not send. A modern server that wants some
 * refuses the call without them, so that they are only made then.
 *
 * @param request the body of the call
 */
export async function mirroredArguments(
  { client, target, message }: TranslatedCall,
  request: ReadMessage,
  { lists }: Pick<TranslationDeps, 'lists'>,
): Promise<Readonly<Record<string, string>>> {
  const args = rawOf(request, memberOf(request.object, 'params')?.object, 'arguments') ?? '{}';
  const { list } = await lists.part(client, target.attachment, 'tools');
  const tool = list?.entries.find(({ identifier }) => identifier === message.name);
  return tool === undefined ? {} : paramHeadersOf(tool.bytes, Buffer.from(args));
}
