import type { Application, Integration } from '@gatehouse/sdk';
import { isWorking } from '../connections/state.tsx';

/** How far the first steps are. */
export interface Progress {
  readonly integration: Integration | undefined;
  readonly application: Application | undefined;
  readonly isConnected: boolean;
}

/** What there is already. */
export interface Setup {
  readonly integrations: readonly Integration[];
  readonly applications: readonly Application[];
}

/** The newest integration that an application has, or else the newest. */
export function progressOf({ integrations, applications }: Setup): Progress {
  const attached = applications.find((application) => application.integrations.length > 0);
  const [first] = attached?.integrations ?? [];
  const integration = integrations.find(({ id }) => id === first?.id) ?? integrations[0];
  const connection = integration?.userConnection;
  return {
    integration,
    application: attached,
    isConnected: connection === undefined || isWorking(connection),
  };
}
