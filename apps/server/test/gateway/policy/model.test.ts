import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useRules } from './fixture.ts';

const { fixture, ids, setRules, post } = useRules();

const NAMES = ['read', 'read_a', 'write', 'a', 'ab', 'ba', ''];
const LISTED = ['read', 'read_a', 'write', 'ab'];

interface Names {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}
interface Rules {
  readonly tools?: Names;
  readonly prompts?: Names;
}
type Kind = keyof Rules;

const pattern = fc.constantFrom('*', 'read*', '*a*', 'write', 'a*b', 'ab', 'b*');
const names: fc.Arbitrary<Names> = fc.record(
  { allow: fc.array(pattern, { maxLength: 3 }), deny: fc.array(pattern, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const rules: fc.Arbitrary<Rules> = fc.record(
  { tools: names, prompts: names },
  { requiredKeys: [] },
);

const request = fc.oneof(
  fc.record({ method: fc.constant('tools/call'), name: fc.constantFrom(...NAMES) }),
  fc.record({ method: fc.constant('prompts/get'), name: fc.constantFrom(...NAMES) }),
  fc.record({ method: fc.constantFrom('ping', 'tools/other', 'notifications/x', 'tasks/get') }),
);
interface Request {
  readonly method: string;
  readonly name?: string;
}

/** Written apart from the sources: a regular expression for each pattern. */
function isMatch(text: string, name: string): boolean {
  const pieces = text.split('*').map((piece) => piece.replaceAll(/[^\w]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`).test(name);
}

function isAllowedBy({ allow, deny }: Names = {}, name: string): boolean {
  if (deny?.some((each) => isMatch(each, name))) return false;
  return allow === undefined || allow.some((each) => isMatch(each, name));
}

const isLimiting = ({ allow, deny }: Names = {}) => allow !== undefined || (deny?.length ?? 0) > 0;

function mayGoUp(levels: readonly Rules[], { method, name = '' }: Request): boolean {
  const kind: Kind | undefined =
    method === 'tools/call' ? 'tools' : method === 'prompts/get' ? 'prompts' : undefined;
  if (kind !== undefined) return levels.every((level) => isAllowedBy(level[kind], name));
  return method !== 'tools/other' || !levels.some(({ tools }) => isLimiting(tools));
}

const messageOf = ({ method, name }: Request, id: number) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: name === undefined ? {} : { name },
});

/** What the upstream has been sent since then, as messages. */
const sentSince = (count: number) =>
  fixture.upstream.requests.slice(count).flatMap(({ body }) => JSON.parse(body.toString()));

beforeAll(() => {
  fixture.upstream.otherwise((exchange) => {
    const { method, id } = JSON.parse(exchange.request.body.toString());
    const tools = LISTED.map((name) => ({ name }));
    const result = method === 'tools/list' ? { tools } : {};
    exchange.respond({ body: { jsonrpc: '2.0', id, result } });
  });
});

it('the gateway sends what the rules of all levels allow, and lists nothing else', async () => {
  const attachment = `/applications/${fixture.applicationId}/integrations`;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(rules, rules, rules),
      fc.array(fc.array(request, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      async ([ofAll, ofApplication, ofAttachment], bodies) => {
        const levels = [ofAll, ofApplication, ofAttachment];
        await setRules({ ...ofAll, perApplication: { [fixture.applicationId]: ofApplication } });
        await fixture.api('PUT', `${attachment}/${ids.integrationId}/policy`, ofAttachment);
        for (const requests of bodies) {
          const before = fixture.upstream.requests.length;
          const messages = requests.map(messageOf);
          await post(messages.length === 1 ? messages[0] : messages);
          const isAllowed = requests.every((each) => mayGoUp(levels, each));
          expect(sentSince(before)).toEqual(isAllowed ? messages : []);
        }
        const { text } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
        const listed = JSON.parse(text).result.tools.map(({ name }: { name: string }) => name);
        const allowed = LISTED.filter((name) =>
          levels.every(({ tools }) => isAllowedBy(tools, name)),
        );
        expect(listed).toEqual(allowed);
      },
    ),
    { numRuns: 40 },
  );
});
