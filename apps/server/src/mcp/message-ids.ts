import { MessageIdScanner, type MessageIds } from './message-id-scanner.ts';

/**
 * Reads the ids of the requests in a complete body. `JSON.parse` would round ids that do not fit a
 * double, so it only checks the syntax, and the text of each id is cut out.
 */
export function readMessageIds(body: Buffer): MessageIds {
  if (!isJson(body)) return { kind: 'malformed' };
  const scanner = new MessageIdScanner();
  scanner.feed(body);
  return scanner.messageIds(true);
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
