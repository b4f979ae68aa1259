import type { MockGatehouse } from '@gatehouse/mocks';

/** The id of an integration, application or group of the demo. */
export async function idOf(name: string, { baseUrl, tokens }: MockGatehouse): Promise<string> {
  const headers = { authorization: `Bearer ${tokens.owner}` };
  for (const resource of ['integrations', 'applications', 'groups']) {
    const response = await fetch(`${baseUrl}/${resource}?limit=100`, { headers });
    const { items } = (await response.json()) as { items: { id: string; name: string }[] };
    const found = items.find((item) => item.name === name);
    if (found !== undefined) return found.id;
  }
  throw new Error(`There is no ${name}.`);
}

/** A path in which `{…}` is the id of what has the name. */
export async function addressOf(path: string, mocks: MockGatehouse): Promise<string> {
  let address = path;
  for (const [place, name = ''] of path.matchAll(/\{(.*?)\}/g)) {
    address = address.replace(place, await idOf(name, mocks));
  }
  return address;
}
