import {
  ConnectionError,
  Gatehouse,
  isApiError,
  isGatehouseError,
  NotFoundError,
  PreconditionFailedError,
} from '@gatehouse/sdk';
import type { Environment, Print } from './environment.ts';

/** What can go wrong, how to tell the errors apart, and what to do about them. */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { baseUrl, accessToken, mcpUrl } = environment;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });

  // By class: it does not exist, or you may not see it.
  try {
    await gatehouse.applications.get('00000000-0000-7000-8000-000000000000');
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    print(
      `No such application; find it in the logs by ${error.requestId ? 'its request id' : '?'}`,
    );
  }

  // By code, from the closed list of the API. The problem document names the fields.
  try {
    await gatehouse.integrations.create({ name: '', url: 'not a url' });
  } catch (error) {
    if (!isApiError(error) || error.code !== 'validation_failed') throw error;
    print(`Fields to correct: ${error.problem?.errors?.map(({ pointer }) => pointer).join(', ')}`);
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
    print(`Someone else was first: it is called ${integration.name}`);
  }

  // No response at all. By default the client retries twice where that is safe.
  const nowhere = new Gatehouse({ baseUrl: 'http://127.0.0.1:1', accessToken, maxRetries: 0 });
  const failure = await nowhere.me().catch((error: unknown) => error);
  print(
    `Not reached: ${failure instanceof ConnectionError}, from the SDK: ${isGatehouseError(failure)}`,
  );
}
