import { Gatehouse } from '@gatehouse/sdk';
import type { Say, Surroundings } from './surroundings.ts';

/** An application of its own secret and integrations, from its first day to its last. */
export async function main(surroundings: Surroundings, say: Say): Promise<void> {
  const { baseUrl, accessToken, mcpUrl } = surroundings;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const [wiki, search] = await Promise.all(
    ['Wiki', 'Search'].map(async (name) => {
      const { integration } = await gatehouse.integrations.create({ name, url: mcpUrl });
      return integration.id;
    }),
  );
  if (!wiki || !search) return;

  // The client secret stands in this answer and in no later one: store it at once.
  const { application, oauth } = await gatehouse.applications.create({
    name: 'Support assistant',
    oauth: { type: 'confidential', redirectUris: ['https://support.example.com/callback'] },
  });
  const { id } = application;
  say(`Created ${application.name}, its secret has ${oauth.clientSecret?.length} characters`);

  await gatehouse.applications.integrations.attach(id, wiki);
  await gatehouse.applications.integrations.attach(id, search);
  const { application: attached } = await gatehouse.applications.get(id);
  say(`It may use ${attached.integrations.map(({ name }) => name).join(' and ')}`);
  await gatehouse.applications.integrations.set(id, { integrationIds: [search] });
  const { integrationIds } = await gatehouse.applications.integrations.list(id);
  say(`Now it may use ${integrationIds.length}`);

  // The secret before is refused from this moment on; tokens issued with it live until they expire.
  const rotated = await gatehouse.applications.rotateSecret(id);
  const isNew = rotated.oauth.clientSecret !== oauth.clientSecret;
  say(isNew ? 'Its secret is another one' : 'Its secret is the same');

  await gatehouse.applications.archive(id);
  const { application: archived } = await gatehouse.applications.get(id);
  say(`It is archived: ${archived.archivedAt !== null}, ${archived.mcpUrlTemplate}`);
}
