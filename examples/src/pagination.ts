import { Gatehouse } from '@gatehouse/sdk';
import type { Say, Surroundings } from './surroundings.ts';

/** A list in pages, as one stream, and resumed where a job was interrupted. */
export async function main(surroundings: Surroundings, say: Say): Promise<void> {
  const { baseUrl, accessToken, mcpUrl } = surroundings;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  for (let number = 1; number <= 5; number += 1) {
    await gatehouse.integrations.create({ name: `Archive ${number}`, url: mcpUrl });
  }
  const query = { name: 'archive', limit: 2 };

  // Awaited, a list call gives a page. Newest come first.
  const page = await gatehouse.integrations.list(query);
  say(`A page: ${page.items.map(({ name }) => name).join(', ')}`);

  // Iterated, it gives everything, and asks for the next page when it is needed.
  let count = 0;
  for await (const integration of gatehouse.integrations.list(query)) {
    if (integration.validationStatus === 'pending') count += 1;
  }
  say(`Not validated yet: ${count}`);

  // Collected, it needs a bound, so that no list can fill the memory.
  const some = await gatehouse.integrations.list(query).toArray({ max: 3 });
  say(`Collected: ${some.length}`);

  // The cursor of a page is where a later run goes on, whatever was added in between.
  const cursor = page.nextCursor ?? undefined;
  await gatehouse.integrations.create({ name: 'Archive 6', url: mcpUrl });
  const rest: string[] = [];
  for await (const next of gatehouse.integrations.list({ ...query, cursor }).iterPages()) {
    rest.push(next.items.map(({ name }) => name).join(', '));
  }
  say(`Resumed: ${rest.join(' | ')}`);
}
