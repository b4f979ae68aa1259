import type { Integration } from '@gatehouse/sdk';
import { isBroken, isWorking } from '../connections/state.tsx';

/**
 * What an integration waits for before the person can use it: `connect`, their own account, or `client`, an OAuth client
 * that an admin enters, without which nobody can connect. Undefined if it waits for neither.
 */
export function nextStepOf(integration: Integration): 'connect' | 'client' | undefined {
  const { userConnection, archivedAt, validationStatus } = integration;
  if (archivedAt !== null || userConnection === undefined || isWorking(userConnection)) {
    return undefined;
  }
  if (validationStatus === 'invalid' && !isBroken(userConnection)) return undefined;
  return canConnect(integration) ? 'connect' : 'client';
}

/** As far as the last validation knows. */
function canConnect({ validationStages = [] }: Integration): boolean {
  const statusOf = (name: string) => validationStages.find(({ stage }) => stage === name)?.status;
  const registration = statusOf('registration');
  if (registration === 'failed') return false;
  return statusOf('discovery') !== 'failed' || registration === 'passed';
}
