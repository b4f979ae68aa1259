import { Gatehouse } from '@gatehouse/sdk';
import type { Environment, Print } from './environment.ts';

/** A list page by page, as one stream of items, and resumed where a job was interrupted. */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { baseUrl, accessToken, mcpUrl } = environment;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  for (let number = 1; number <= 5; number += 1) {
    await gatehouse.integrations.create({ name: `Archive ${number}`, url: mcpUrl });
  }
  const query = { name: 'archive', limit: 2 };

  // Awaited, a list call gives one page. The newest items come first.
  const page = await gatehouse.integrations.list(query);
  print(`A page: ${page.items.map(({ name }) => name).join(', ')}`);

  // Iterated, it gives every item and fetches the next page when it is needed.
  let count = 0;
  for await (const integration of gatehouse.integrations.list(query)) {
    if (integration.validationStatus === 'pending') count += 1;
  }
  print(`Not validated yet: ${count}`);

  // Collected into an array, it needs a limit, so that no list can fill the memory.
  const some = await gatehouse.integrations.list(query).toArray({ max: 3 });
  print(`Collected: ${some.length}`);

  // A later run continues from the cursor of a page, whatever was added in between.
  const cursor = page.nextCursor ?? undefined;
  await gatehouse.integrations.create({ name: 'Archive 6', url: mcpUrl });
  const rest: string[] = [];
  for await (const next of gatehouse.integrations.list({ ...query, cursor }).iterPages()) {
    rest.push(next.items.map(({ name }) => name).join(', '));
  }
  print(`Resumed: ${rest.join(' | ')}`);
}
