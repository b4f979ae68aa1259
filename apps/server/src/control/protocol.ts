import { join } from 'node:path';
import { z } from 'zod';

/** Bytes of one line. */
const MAX_LINE = 4_096;

/** What the command sends: one line of JSON. */
export const commandSchema = z.strictObject({
  command: z.literal('sign-in-link'),
  email: z.string(),
});

/** What the server sends back: one line of JSON. */
export const replySchema = z.union([
  z.object({ url: z.string(), expiresAt: z.string() }),
  z.object({ error: z.string() }),
]);

export type Command = z.infer<typeof commandSchema>;
export type Reply = z.infer<typeof replySchema>;

/** The socket with which commands of this machine reach the running server. */
export function socketPathOf(dataDir: string): string {
  return join(dataDir, 'control.sock');
}

/** The first line that a socket sends. @throws Error when it is too long, or the socket ends before */
export async function readLine(socket: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += chunk.toString('latin1');
    if (text.length > MAX_LINE) break;
    const end = text.indexOf('\n');
    if (end >= 0) return Buffer.from(text.slice(0, end), 'latin1').toString();
  }
  throw new Error('The line is too long or has no end.');
}
