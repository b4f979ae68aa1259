import { setTimeout as delay } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';

const LARGEST_RESULT = 256 * 1024 * 1024;

/** Tools for everyday tests: `echo`, `add`, `slow` and `large_result`. */
export function registerPlainTools(server: McpServer): void {
  server.registerTool(
    'echo',
    {
      description: 'Returns the text it was given.',
      inputSchema: z.object({ text: z.string() }),
    },
    async ({ text }) => textResult(text),
  );
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    async ({ a, b }) => ({ ...textResult(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    'slow',
    {
      description: 'Answers after the given number of milliseconds; stops early when cancelled.',
      inputSchema: z.object({ milliseconds: z.number().int().min(0).max(600_000) }),
    },
    async ({ milliseconds }, { mcpReq }) => {
      await delay(milliseconds, undefined, { signal: mcpReq.signal });
      return textResult(`waited ${milliseconds} ms`);
    },
  );
  server.registerTool(
    'large_result',
    {
      description: 'Returns a text of the given number of bytes.',
      inputSchema: z.object({ bytes: z.number().int().min(0).max(LARGEST_RESULT) }),
    },
    async ({ bytes }) => textResult('x'.repeat(bytes)),
  );
}
