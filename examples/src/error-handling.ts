import {
  ConnectionError,
  Gatehouse,
  isApiError,
  isGatehouseError,
  NotFoundError,
  PreconditionFailedError,
} from '@gatehouse/sdk';
import type { Say, Surroundings } from './surroundings.ts';

/** What can go wrong, how to tell it apart, and what to do about it. */
export async function main(surroundings: Surroundings, say: Say): Promise<void> {
  const { baseUrl, accessToken, mcpUrl } = surroundings;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });

  // By class: what is not there, or not yours to see.
  try {
    await gatehouse.applications.get('00000000-0000-7000-8000-000000000000');
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    say(`No such application; the logs have it under ${error.requestId ? 'a request id' : '?'}`);
  }

  // By code: the closed list of the API. The problem document names the fields.
  try {
    await gatehouse.integrations.create({ name: '', url: 'not a url' });
  } catch (error) {
    if (!isApiError(error) || error.code !== 'validation_failed') throw error;
    say(`Fields to mend: ${error.problem?.errors?.map(({ pointer }) => pointer).join(', ')}`);
  }

  // Two people edit at once: the second one's write is refused, not lost.
  const { data, etag } = await gatehouse.integrations
    .create({ name: 'Calendar', url: mcpUrl })
    .withResponse();
  const { id } = data.integration;
  await gatehouse.integrations.update(id, { name: 'Team calendar' });
  try {
    await gatehouse.integrations.update(id, { name: 'My calendar' }, { ifMatch: etag });
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    const { integration } = await gatehouse.integrations.get(id);
    say(`Somebody was faster: it is called ${integration.name}`);
  }

  // No answer at all. Two retries come by themselves where repeating is safe.
  const nowhere = new Gatehouse({ baseUrl: 'http://127.0.0.1:1', accessToken, maxRetries: 0 });
  const failure = await nowhere.me().catch((error: unknown) => error);
  say(`Not reached: ${failure instanceof ConnectionError}, ours: ${isGatehouseError(failure)}`);
}
