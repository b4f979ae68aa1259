import { expect, it } from 'vitest';
import { mergeStream } from '../../../src/gateway/aggregate/streams/stream-part.ts';
import type { UpstreamAnswer } from '../../../src/gateway/aggregate/upstream-answer.ts';

function streamOf(...chunks: readonly string[]): UpstreamAnswer {
  async function* body() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  return {
    kind: 'answer',
    status: 200,
    headers: ['content-type', 'text/event-stream'],
    body: Object.assign(body(), { failure: undefined, takeWhole: () => undefined }),
  };
}

it('a merged stream leaves out an event of more than 1 MiB, and has the events around it', async () => {
  const sent: string[] = [];
  const target = {
    write: (event: Buffer) => sent.push(event.toString()) > 0,
    drained: async () => {},
  };
  const long = 'x'.repeat(1024 * 1024);
  const answer = streamOf('data: 1\n\ndata: ', long, '\ndata: more\n', '\ndata: 2\n\n');
  const end = await mergeStream({ answer: Promise.resolve(answer) }, target, {
    onBegin: () => {},
    toClient: ({ bytes }) => bytes,
  });
  expect(end).toBe('broken');
  expect(sent).toEqual(['data: 1\n\n', 'data: 2\n\n']);
});
