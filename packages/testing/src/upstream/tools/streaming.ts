import { setTimeout as delay } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';

/** Conformance fixtures that send messages, or end their stream, before the result. */
export function registerStreamingTools(server: McpServer): void {
  const inputSchema = z.object({});
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Sends three log messages while it runs.', inputSchema },
    async (_args, { mcpReq }) => {
      await mcpReq.log('info', 'Tool execution started');
      await mcpReq.log('info', 'Tool processing data');
      await mcpReq.log('info', 'Tool execution completed');
      return textResult('Tool with logging executed successfully');
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress 0, 50 and 100 of 100 when asked to.', inputSchema },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken === undefined) return textResult('No progress was asked for');
      for (const progress of [0, 50, 100]) {
        const message = `Completed step ${progress} of 100`;
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message },
        });
      }
      return textResult(String(progressToken));
    },
  );
  server.registerTool(
    'test_reconnection',
    { description: 'Ends the SSE stream in mid-call; the result waits for a resume.', inputSchema },
    async (_args, { http }) => {
      http?.closeSSE?.();
      await delay(100);
      return textResult('The stream was closed and the result was delivered on the resumed one.');
    },
  );
}
