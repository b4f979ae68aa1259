import type { Dialect } from './dialect.ts';

/** The Gemini API of Google. */
export const gemini: Dialect = {
  path: /:(streamGenerateContent|generateContent)$/,
  read({ contents, tools = [] }) {
    const parts: { functionResponse?: { response: { output?: string } } }[] = contents.at(-1).parts;
    const response = parts.findLast((part) => part.functionResponse)?.functionResponse?.response;
    const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    return {
      tools: names.map(({ name }: { name: string }) => ({ tool: name })),
      result: response && (response.output ?? JSON.stringify(response)),
    };
  },
  write(answer) {
    const part =
      'text' in answer
        ? { text: answer.text }
        : {
            functionCall: { name: answer.tool, args: answer.args ?? {} },
            thoughtSignature: 'c2ln',
          };
    const content = { role: 'model', parts: [part] };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [{ candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata }];
  },
};
