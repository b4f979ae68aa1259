import type { Message } from '../envelope/message.ts';
import { edit, replacement } from '../json/edit.ts';

/**
 * The body of a request for an upstream, which knows a tool or prompt by its own name: every other byte stays.
 *
 * @param body in which the message was read
 * @param named the message, or what it refers to
 * @param name the integration's own
 */
export function rewriteName(
  body: Buffer,
  named: Pick<Message, 'name' | 'nameAt'>,
  name: string,
): Buffer {
  const { nameAt } = named;
  if (nameAt === undefined || named.name === name) return body;
  return edit(body, [replacement(nameAt, JSON.stringify(name))]);
}
