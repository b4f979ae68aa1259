import { nameSchema } from '@gatehouse/contract';
import type { MockGatehouse } from '@gatehouse/mocks';
import fc from 'fast-check';
import { send } from '../../demo/people.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  // From right to left, alone and mixed.
  fc.string({ unit: fc.constantFrom(...'אבגדابتثج ab1'), minLength: 1, maxLength: 80 }),
  // One long word.
  fc.string({ unit: fc.constantFrom('W', 'ﷺ'), minLength: 150, maxLength: 200 }),
);

const name = text
  .map((each) => nameSchema.safeParse(each).data)
  .filter((each) => each !== undefined);

/** As many different names that the API takes, of every alphabet, direction and length, as an organization below has. */
export const names = fc.uniqueArray(name, { minLength: 40, maxLength: 40 });

/** The texts of an organization in which people and servers write anything. */
export interface AnyText {
  readonly integrationId: string;
  /** One that only a group may use. */
  readonly restrictedId: string;
  readonly applicationId: string;
  readonly groupId: string;
  readonly integrations: readonly string[];
  readonly application: string;
  readonly group: string;
  readonly people: readonly string[];
  readonly token: string;
  readonly node: string;
  readonly account: string;
  /** Names, then titles and descriptions. */
  readonly tools: readonly string[];
  readonly toolTexts: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
}

export async function seedAnyText(
  mocks: MockGatehouse,
  [...left]: readonly string[],
): Promise<AnyText> {
  const { fixtures } = mocks;
  const name = () => left.pop() as string;
  const integrations = [name(), name(), name()];
  const ids = integrations.map(
    (each) => fixtures.addIntegration({ name: each, authMode: 'user_token' }).id,
  );
  const application = name();
  const { id: applicationId } = fixtures.addApplication({ name: application }).application;
  for (const id of ids) fixtures.attach(applicationId, id);
  const [integrationId = '', connectedId = '', restrictedId = ''] = ids;
  const account = name();
  fixtures.addConnection({ integrationId, reason: 'needs_reauth' });
  fixtures.addConnection({ integrationId: connectedId, displayName: account });
  fixtures.addSession({ applicationId, integrationId });
  const node = name();
  fixtures.addNode({ name: node, version: '0.0.0-mock' });
  const token = name();
  await send(mocks, 'POST', '/tokens', { name: token, scopes: ['management:read'] });
  const group = name();
  const made = await send<{ group: { id: string } }>(mocks, 'POST', '/groups', { name: group });
  const people = [name(), name()];
  for (const [index, each] of people.entries()) {
    const body = { email: `person-${index}@example.com`, name: each, role: 'member' };
    const { member } = await send<{ member: { id: string } }>(mocks, 'POST', '/members', body);
    await send(mocks, 'PUT', `/groups/${made.group.id}/members/${member.id}`);
    fixtures.addConnection({ integrationId, userId: member.id });
  }
  await send(mocks, 'PUT', `/integrations/${restrictedId}/policy`, { groups: [made.group.id] });
  const listed = addListed(mocks, { applicationId, integrationId }, name);
  const ofPlaces = { integrationId, restrictedId, applicationId, groupId: made.group.id };
  return { ...ofPlaces, integrations, application, group, people, token, node, account, ...listed };
}

function addListed(
  { fixtures }: MockGatehouse,
  { applicationId, integrationId }: Pick<AnyText, 'applicationId' | 'integrationId'>,
  name: () => string,
) {
  const tools = [name(), name(), name()];
  const toolTexts: string[] = [];
  for (const [index, tool] of tools.entries()) {
    const [title, description] = [name(), name()];
    toolTexts.push(title, description);
    const fingerprint = `${index}`.repeat(64);
    const definition = { name: tool, title, description, inputSchema: { type: 'object' } };
    fixtures.addTool({ integrationId, name: tool, fingerprint, definition });
    fixtures.addCalls({ applicationId, integrationId, tool });
  }
  const [prompt, promptText, resource, resourceText] = [name(), name(), name(), name()];
  const ofPrompt = { name: prompt, description: promptText };
  fixtures.addListing({ integrationId, kind: 'prompt', key: prompt, definition: ofPrompt });
  const ofResource = { uri: resource, name: resourceText };
  fixtures.addListing({ integrationId, kind: 'resource', key: resource, definition: ofResource });
  return {
    ...{ tools, toolTexts },
    prompts: [prompt, promptText],
    resources: [resource, resourceText],
  };
}
