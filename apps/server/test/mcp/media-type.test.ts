import { expect, it } from 'vitest';
import { isEventStream } from '../../src/mcp/media-type.ts';

it.each(['text/event-stream', 'Text/Event-Stream', 'text/event-stream ; charset=utf-8'])(
  '%s is the content type of an event stream',
  (type) => {
    expect(isEventStream(type)).toBe(true);
  },
);

it.each([undefined, '', 'application/json', 'text/event-streams', ['text/event-stream', 'a/b']])(
  '%s is not',
  (type) => {
    expect(isEventStream(type)).toBe(false);
  },
);
