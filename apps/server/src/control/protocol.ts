import { join } from 'node:path';
import { z } from 'zod';
import { EXIT, type ExitCode } from './command-error.ts';

/**
 * The version of the lines below. A command and a server of different versions say so instead of guessing.
 */
export const PROTOCOL = 2;

/** Bytes of one line: of what a command sends, and of what a server sends back. */
export const MAX_REQUEST = 4_096;
export const MAX_REPLY = 1_048_576;

/** What the command sends: one line of JSON. */
export const requestLine = z.strictObject({
  protocol: z.literal(PROTOCOL),
  request: z.string(),
  input: z.unknown(),
});

const exitCode = z.union(Object.values(EXIT).map((code) => z.literal(code)));

/** What the server sends back: one line of JSON. */
export const replyLine = z.union([
  z.object({ protocol: z.literal(PROTOCOL), reply: z.unknown() }),
  z.object({ protocol: z.literal(PROTOCOL), error: z.string(), exitCode }),
]);

/** A line that a server sends back. */
export type ReplyLine =
  | { readonly protocol: typeof PROTOCOL; readonly reply: unknown }
  | { readonly protocol: typeof PROTOCOL; readonly error: string; readonly exitCode: ExitCode };

/** The socket with which commands of this machine reach the running server. */
export function socketPathOf(dataDir: string): string {
  return join(dataDir, 'control.sock');
}

/**
 * The first line that a socket sends.
 *
 * @param limit in bytes
 * @throws Error when it is too long, or the socket ends before
 */
export async function readLine(socket: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket) {
    const end = chunk.indexOf('\n');
    size += end < 0 ? chunk.length : end;
    if (size > limit) break;
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) return Buffer.concat(chunks).toString();
  }
  throw new Error('The line is too long or has no end.');
}
