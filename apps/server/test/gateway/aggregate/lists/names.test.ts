import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rewriteName } from '../../../../src/mcp/aggregate/rewrite-name.ts';
import { readEnvelope } from '../../../../src/mcp/envelope/read-envelope.ts';
import { lists, TestApplication, toolOf } from './application.ts';

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 80 }),
  fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
  fc.stringMatching(/^[a-z_]{1,60}$/),
  // These look like shortened ones, like those of another integration, or like ours.
  fc.stringMatching(/^[a-z]{1,50}_[a-z2-7]{8}$/),
  fc.stringMatching(/^(second|first|gatehouse|other)__[a-z]{1,20}$/),
);

const world = fc.record({
  names: fc.tuple(fc.array(name, { maxLength: 12 }), fc.array(name, { maxLength: 12 })),
  alias: fc.constantFrom('', 'first'),
  nameLength: fc.integer({ min: 32, max: 64 }),
  era: fc.constantFrom('legacy' as const, 'modern' as const),
});

it('every name that is listed can be called, and leads to the tool that has it', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ names, alias, nameLength, era }) => {
      const application = new TestApplication();
      application.nameLength = nameLength;
      for (const [index, own] of ['First', 'Second'].entries()) {
        const integration = application.attach(index === 0 ? alias : 'second');
        integration.change({ integrationName: own });
        const tools = (names[index] ?? []).map((tool) => ({ ...toolOf(tool), description: tool }));
        integration.on('tools', lists('tools', ...tools));
      }
      const client = application.client(era);
      const { names: exposed, result } = await application.list(client, 'tools');
      expect(new Set(exposed).size).toBe(exposed.length);
      for (const tool of result.tools) {
        expect(tool.name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${nameLength}}$`));
        const isFirst = tool._meta['gatehouse/integration'].name === 'First';
        const params = { name: tool.name, arguments: {} };
        const target = await application.target(client, 'tools/call', params);
        expect(target?.alias).toBe(isFirst ? alias : 'second');
        expect(nameSent(params, target?.named)).toBe(tool.description);
      }
    }),
    { numRuns: 100 },
  );
});

/** The name in the body that goes to the integration. */
function nameSent(params: object, named: { readonly name: string } | undefined): unknown {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }));
  const envelope = readEnvelope(body);
  if (envelope.kind !== 'message' || named === undefined) return undefined;
  return JSON.parse(rewriteName(body, envelope.message, named.name).toString()).params.name;
}
