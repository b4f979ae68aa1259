import { type Asked, AskedScanner } from './message-scanner.ts';

/**
 * Reads the request ids of a whole body. `JSON.parse` would round the ids that do not fit a double,
 * so the text of each id is cut out instead.
 */
export function askedBy(body: Buffer): Asked {
  if (!isJson(body)) return { kind: 'malformed' };
  const scanner = new AskedScanner();
  scanner.feed(body);
  return scanner.asked(true);
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
