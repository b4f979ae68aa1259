import fc from 'fast-check';
import { expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const [first, second] = [
  use(() => startScriptedServer('first')),
  use(() => startScriptedServer('second')),
];

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
      const applicationId = await newApplication(fixture);
      for (const [index, server] of [first, second].entries()) {
        const id = await fixture.integrate({
          name: index === 0 ? 'First' : 'Second',
          url: server.url,
        });
        await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
        const tools = (names[index] ?? []).map((own) => ({ ...toolOf(own), description: own }));
        server.on('tools/list', ({ respondResult }) => respondResult({ tools }));
      }
      await fixture.server.store.transaction(async ({ db, announce }) => {
        await db.application.update({
          where: { id: applicationId },
          data: { aggregateNameLength: nameLength },
        });
        await db.attachment.updateMany({
          where: { applicationId, alias: 'first' },
          data: { alias },
        });
        announce({ kind: 'application', id: applicationId });
      });
      const { origin, owner } = fixture.server;
      const client = await openClient(`${origin}/mcp/${applicationId}`, owner, era);
      const { body } = await client.ask('tools/list');
      const exposed: string[] = body.result.tools.map((tool: { name: string }) => tool.name);
      expect(new Set(exposed).size).toBe(exposed.length);
      for (const tool of body.result.tools) {
        expect(tool.name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${nameLength}}$`));
        const isFirst = tool._meta['gatehouse/integration'].name === 'First';
        const server = isFirst ? first : second;
        const { body: called } = await client.call(tool.name);
        expect(called.result.content[0].text).toBe(isFirst ? 'first' : 'second');
        const sent = server.received('tools/call').at(-1)?.request;
        expect(JSON.parse(String(sent?.body)).params.name).toBe(tool.description);
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);
