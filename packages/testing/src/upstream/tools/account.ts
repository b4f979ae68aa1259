import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';

/** Tools of an upstream with OAuth: `whoami`, and `write_note`, which needs a further scope. */
export function registerAccountTools(server: McpServer): void {
  server.registerTool(
    'whoami',
    { description: 'Returns the user of the access token.', inputSchema: z.object({}) },
    async (_args, { http }) => textResult(String(http?.authInfo?.extra?.sub)),
  );
  server.registerTool(
    'write_note',
    { description: 'Pretends to write a note.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => textResult(`Written: ${text}`),
  );
}
