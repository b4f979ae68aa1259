import fc from 'fast-check';
import type { HeaderFault } from './oracle/calls.ts';
import type { Message, Params } from './oracle/messages.ts';
import { AMBIGUOUS } from './oracle/names.ts';

export type Drawn<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

export const TOOLS = ['read', 'read_a', 'write', 'ab', 'b', 'é', ''];
export const PROMPTS = ['read', 'write', 'a', 'ab'];
export const RESOURCES = ['docs://a', 'docs://a/b', 'docs://secret', 'mail:inbox', ...AMBIGUOUS];
export const TEMPLATES = [
  ...[
    'docs://{id}',
    'docs://a/{path}',
    'docs://secret{?q}',
    '{any}',
    'docs://{a}/x{b}',
    'mail:{box}',
  ],
  ...['docs://a', 'docs://a/../{id}', 'docs://a{x}b'],
];
const LONG = 'a'.repeat(2049);

type Body = Pick<Message, 'method' | 'params'>;

const of = (method: string, params: fc.Arbitrary<Params> = fc.constant({})): fc.Arbitrary<Body> =>
  params.map((drawn) => ({ method, params: drawn }));

const uri = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...RESOURCES.slice(0, 4)) },
  fc.constantFrom(...RESOURCES, LONG),
);
const uris = (method: string) => of(method, fc.record({ uri }));
const toolName = fc.constantFrom(...TOOLS, ...TOOLS, 'a', 'ba', LONG);
const promptName = fc.constantFrom(...PROMPTS, ...PROMPTS, '', LONG);

const reference: fc.Arbitrary<Params> = fc.oneof(
  promptName.map((name) => ({ ref: { type: 'ref/prompt', name } })),
  fc
    .constantFrom(...TEMPLATES, ...RESOURCES)
    .map((template) => ({ ref: { type: 'ref/resource', uri: template } })),
  fc.constant({ ref: { type: 'ref/other', name: 'read' } }),
);

const listen: fc.Arbitrary<Params> = fc
  .array(uri, { maxLength: 3 })
  .map((resourceSubscriptions) => ({ notifications: { resourceSubscriptions } }));

const named: fc.Arbitrary<Body> = fc.oneof(
  {
    weight: 4,
    arbitrary: of(
      'tools/call',
      toolName.map((name) => ({ name })),
    ),
  },
  of(
    'tools/call',
    toolName.map((name) => ({ name, task: {} })),
  ),
  {
    weight: 2,
    arbitrary: of(
      'prompts/get',
      promptName.map((name) => ({ name })),
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('resources/read', 'resources/subscribe').chain(uris) },
  uris('resources/unsubscribe'),
  { weight: 2, arbitrary: of('completion/complete', reference) },
  of('subscriptions/listen', listen),
);

const other: fc.Arbitrary<Body> = fc.oneof(
  fc
    .constantFrom('list', 'list', 'get', 'result', 'update', 'cancel')
    .chain((verb) => of(`tasks/${verb}`)),
  fc
    .constantFrom('tools', 'prompts', 'resources', 'tasks', 'vendor')
    .chain((kind) => of(`${kind}/other`)),
  fc
    .constantFrom(
      ...['ping', 'initialize', 'notifications/x', 'logging/setLevel', 'server/discover'],
      ...['prompts/list', 'resources/templates/list'],
    )
    .chain((method) => of(method)),
);

/** Nobody can judge them. */
const nameless = fc
  .constantFrom('tools/call', 'prompts/get', 'resources/read', 'completion/complete')
  .chain((method) => of(method));

const body = fc.oneof(
  { weight: 12, arbitrary: named },
  { weight: 5, arbitrary: other },
  { weight: 1, arbitrary: nameless },
);

const id = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<Message['id']>(1, 'a', 2 ** 40) },
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const message: fc.Arbitrary<Message> = fc
  .tuple(
    id,
    body,
    fc.constantFrom('request', ...Array<string>(9).fill('request'), 'response', 'both'),
  )
  .map(([drawn, request, kind]): Message => {
    const head = { jsonrpc: '2.0', ...(drawn === undefined ? {} : { id: drawn }) } as const;
    if (kind === 'response') return { ...head, id: drawn ?? 7, result: {} };
    return { ...head, ...request, ...(kind === 'both' && { result: {} }) };
  });

const headerFault = fc.constantFrom<HeaderFault>(
  ...Array<undefined>(10).fill(undefined),
  ...(['method_differs', 'name_differs'] as const),
  // They matter in the modern era alone.
  ...(['method_missing', 'name_missing', 'method_missing', 'name_missing'] as const),
);

/** Single messages in both eras, and batches, which only the revision 2025-03-26 has. */
export const post = fc.record({
  messages: fc.oneof(
    { weight: 3, arbitrary: message.map((only) => [only]) },
    { weight: 1, arbitrary: fc.array(message, { minLength: 2, maxLength: 3 }) },
  ),
  era: fc.constantFrom('stateless', 'session', 'modern'),
  statesVersion: fc.boolean(),
  headerFault,
  isRepeated: fc.constantFrom(...Array<boolean>(15).fill(false), true),
});

export type DrawnPost = Drawn<typeof post>;
