import type { Answer, Dialect } from './dialect.ts';

/** The Messages API of Anthropic. */
export const anthropic: Dialect = {
  path: /\/messages$/,
  read({ messages, tools = [] }) {
    const { content } = messages.at(-1);
    const results = Array.isArray(content) ? content.filter(isResult) : [];
    return {
      tools: tools.map(({ name }: { name: string }) => ({ tool: name })),
      result: results.length === 0 ? undefined : textOf(results.at(-1).content),
    };
  },
  write: (answer) => [
    { type: 'message_start', message: messageOf([], null) },
    { type: 'content_block_start', index: 0, content_block: blockOf(answer) },
    { type: 'content_block_delta', index: 0, delta: deltaOf(answer) },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool' in answer ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ],
};

const isResult = ({ type }: { type: string }) => type === 'tool_result';

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('\n') : '';
}

function messageOf(content: object[], stop_reason: string | null): object {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const model = 'claude-sonnet-4-5';
  return { id: 'msg_1', type: 'message', role: 'assistant', model, content, stop_reason, usage };
}

let calls = 0;

function blockOf(answer: Answer): object {
  if ('text' in answer) return { type: 'text', text: '' };
  calls += 1;
  return { type: 'tool_use', id: `toolu_${calls}`, name: answer.tool, input: {} };
}

const deltaOf = (answer: Answer) =>
  'text' in answer
    ? { type: 'text_delta', text: answer.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(answer.args ?? {}) };
