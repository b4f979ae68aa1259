import { inputRequired, type McpServer, type ServerNotifier } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../results.ts';

/**
 * Conformance fixtures of the modern era (SEP-2575). The triggers publish to the subscribers of
 * `notifier`, or on the stream of the legacy session they are called in.
 */
export function registerStatelessTools(server: McpServer, notifier: ServerNotifier): void {
  const inputSchema = z.object({});
  server.registerTool(
    'test_missing_capability',
    { description: 'Needs a client that offers sampling.', inputSchema },
    async (_args, { mcpReq }) => {
      if (mcpReq.inputResponses?.answer !== undefined) return textResult('Sampling completed');
      const answer = inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'Say pong' } }],
        maxTokens: 16,
      });
      return inputRequired({ inputRequests: { answer } });
    },
  );
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'Its response carries nothing but the result.', inputSchema },
    async () => textResult('Only the result was sent'),
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs once, if the request asked for logs.', inputSchema },
    async (_args, { mcpReq }) => {
      await mcpReq.log('info', 'test_logging_tool ran');
      return textResult('Logged');
    },
  );
  server.registerTool(
    'test_trigger_tool_change',
    { description: 'Announces a change of the tool list to subscribers.', inputSchema },
    async (_args, { sessionId }) => {
      if (sessionId === undefined) notifier.toolsChanged();
      else server.sendToolListChanged();
      return textResult('Tool list change published');
    },
  );
  server.registerTool(
    'test_trigger_prompt_change',
    { description: 'Announces a change of the prompt list to subscribers.', inputSchema },
    async (_args, { sessionId }) => {
      if (sessionId === undefined) notifier.promptsChanged();
      else server.sendPromptListChanged();
      return textResult('Prompt list change published');
    },
  );
}
