import type { CallToolResult, GetPromptResult, PromptMessage } from '@modelcontextprotocol/server';

/** A tool result with one text block. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A prompt of user messages with the given contents. */
export function userMessages(...contents: readonly PromptMessage['content'][]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
