import fc from 'fast-check';

/** The client's request at the one URL is 5; that of another call is 7. */
const MESSAGES = {
  own: (id: string, _: string, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`,
  ownAtTheEnd: (id: string, _: string, result: string) =>
    `{"jsonrpc":"2.0","result":${result},"id": ${id} }`,
  ownError: (id: string, marker: string) =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"${marker}"}}`,
  refusal: (_: string, marker: string) =>
    `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"${marker}"}}`,
  notification: (_: string, marker: string) =>
    `{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"${marker}"}}`,
  other: (_: string, __: string, result: string) => `{"jsonrpc":"2.0","id":7,"result":${result}}`,
  otherText: (_: string, __: string, result: string) => `{"id":"7","result":${result}}`,
  otherNumber: (_: string, __: string, result: string) => `{"id":70e-1,"result":${result}}`,
  otherError: (_: string, marker: string) => `{"id":7,"error":{"code":-1,"message":"${marker}"}}`,
  nullResult: (_: string, __: string, result: string) => `{"id":null,"result":${result}}`,
  twoIds: (id: string, _: string, result: string) => `{"id":7,"id":${id},"result":${result}}`,
  escapedKey: (id: string, _: string, result: string) =>
    `{"\\u0069d":7,"id":${id},"result":${result}}`,
  capitals: (id: string, _: string, result: string) => `{"id":${id},"ID":7,"result":${result}}`,
  methodToo: (_: string, __: string, result: string) => `{"id":7,"method":"x","result":${result}}`,
  batch: (id: string, marker: string, result: string) =>
    `[{"id":${id},"error":{"code":-1,"message":"${marker}"}},{"id":7,"result":${result}}]`,
  otherProgress: (_: string, marker: string) =>
    `{"method":"notifications/progress","params":{"progressToken":7,"progress":1,"message":"${marker}"}}`,
  broken: (_: string, marker: string) => `{"id":7,"result":{"text":"${marker}"`,
} as const;

export type Kind = keyof typeof MESSAGES;

const EXACT_TYPES = {
  json: ['application/json', 'Application/JSON; charset="utf-8"'],
  events: ['text/event-stream', 'text/event-stream ;charset=UTF-8'],
} as const;

const ODD_TYPES = [
  'text/event-stream, text/html',
  'text/event-streamx',
  'text/plain; x=text/event-stream',
  'application/json; x=text/event-stream',
  'text/event-stream; charset=utf-16',
  'text/html',
];

/** What an upstream says to one request. */
export interface Said {
  readonly kinds: readonly Kind[];
  readonly form: 'json' | 'events';
  readonly type: string;
  readonly isExact: boolean;
  readonly lineEnd: string;
  /** After how many bytes the first chunk ends. */
  readonly cut: number;
}

const kinds = fc.array(fc.constantFrom(...(Object.keys(MESSAGES) as Kind[])), {
  minLength: 1,
  maxLength: 5,
});

export const said: fc.Arbitrary<Said> = fc
  .record({
    kinds,
    form: fc.constantFrom('json' as const, 'events' as const, 'events' as const),
    odd: fc.option(fc.constantFrom(...ODD_TYPES), { freq: 4 }),
    exact: fc.nat({ max: 1 }),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
    cut: fc.nat({ max: 200 }),
  })
  .map(({ odd, exact, ...rest }) => ({
    ...rest,
    type: odd ?? (EXACT_TYPES[rest.form][exact] as string),
    isExact: odd === null,
  }));

/** Of the message at an index. */
export const markerOf = (index: number): string => `marker-${index}`;

/** @param id of the request, raw JSON @param resultOf an answer to it that has a marker */
export function bodyOf(
  { kinds: all, form, lineEnd }: Said,
  id: string,
  resultOf: (marker: string) => string,
): string {
  const messages = all.map((kind, index) => {
    const marker = markerOf(index);
    return MESSAGES[kind](id, marker, resultOf(marker));
  });
  if (form === 'json') return messages[0] ?? '';
  return messages.map((message) => `data: ${message}${lineEnd}${lineEnd}`).join('');
}
