import type { Dialect } from './dialect.ts';

/** The Responses API of OpenAI. */
export const openai: Dialect = {
  path: /\/responses$/,
  read({ input, tools = [] }) {
    const last = input.at(-1);
    return {
      tools: tools.flatMap(callsOf),
      result: last.type === 'function_call_output' ? textOf(last.output) : undefined,
    };
  },
  write(answer) {
    const item =
      'text' in answer
        ? {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [{ type: 'output_text', text: answer.text }],
          }
        : {
            type: 'function_call',
            call_id: 'call_1',
            name: answer.tool,
            namespace: answer.namespace,
            arguments: JSON.stringify(answer.args ?? {}),
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_1', usage } },
    ];
  },
};

function textOf(output: string | { text?: string }[]): string {
  return typeof output === 'string' ? output : output.map(({ text = '' }) => text).join('\n');
}

interface Tool {
  readonly name?: string;
  /** Of a namespace. */
  readonly tools?: readonly Tool[];
}

function callsOf({ name = '', tools }: Tool): { tool: string; namespace?: string }[] {
  if (tools === undefined) return [{ tool: name }];
  return tools.map((tool) => ({ tool: tool.name ?? '', namespace: name }));
}
