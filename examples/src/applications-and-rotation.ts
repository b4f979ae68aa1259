import { Gatehouse } from '@gatehouse/sdk';
import type { Environment, Print } from './environment.ts';

/** An application with a secret and integrations, from its creation to the archive. */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { baseUrl, accessToken, mcpUrl } = environment;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const [wiki, search] = await Promise.all(
    ['Wiki', 'Search'].map(async (name) => {
      const { integration } = await gatehouse.integrations.create({ name, url: mcpUrl });
      return integration.id;
    }),
  );
  if (!wiki || !search) return;

  // The client secret is in this response and in no later one: store it at once.
  const { application, oauth } = await gatehouse.applications.create({
    name: 'Support assistant',
    oauth: { type: 'confidential', redirectUris: ['https://support.example.com/callback'] },
  });
  const { id } = application;
  print(`Created ${application.name}, its secret has ${oauth.clientSecret?.length} characters`);

  await gatehouse.applications.integrations.attach(id, wiki);
  await gatehouse.applications.integrations.attach(id, search);
  const { application: attached } = await gatehouse.applications.get(id);
  print(`It may use ${attached.integrations.map(({ name }) => name).join(' and ')}`);
  await gatehouse.applications.integrations.set(id, { integrationIds: [search] });
  const { integrationIds } = await gatehouse.applications.integrations.list(id);
  print(`Now it may use ${integrationIds.length}`);

  // The previous secret is refused from now on. Tokens issued with it live until they expire.
  const rotated = await gatehouse.applications.rotateSecret(id);
  const isNew = rotated.oauth.clientSecret !== oauth.clientSecret;
  print(isNew ? 'Its secret has changed' : 'Its secret is the same');

  await gatehouse.applications.archive(id);
  const { application: archived } = await gatehouse.applications.get(id);
  print(`It is archived: ${archived.archivedAt !== null}, ${archived.mcpUrlTemplate}`);
}
