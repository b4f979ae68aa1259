import { type Gatehouse, isApiError } from '@gatehouse/sdk';

/** What {@link shareIntegration} did. */
export interface Shared {
  readonly applications: readonly string[];
  /** Why it stopped, if it did. */
  readonly refused?: string;
}

/**
 * A function of your own program, as something to test: attaches an integration to every application
 * of the caller that does not have it yet. `test/testing-against-mocks.test.ts` is the example.
 */
export async function shareIntegration(
  gatehouse: Gatehouse,
  integrationId: string,
): Promise<Shared> {
  const applications: string[] = [];
  try {
    for await (const { id, name, integrations } of gatehouse.applications.list()) {
      if (integrations.some((one) => one.id === integrationId)) continue;
      await gatehouse.applications.integrations.attach(id, integrationId);
      applications.push(name);
    }
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { applications, refused: error.code };
  }
  return { applications };
}
