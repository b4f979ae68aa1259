import type { Application } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Button } from '../../components/button.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { keyOf, mcpClients } from '../applications/clients.ts';
import { CallLight, Snippet } from '../applications/connect-client.tsx';
import { sampleCallOf } from '../applications/sample-call.ts';
import { toolsQuery } from '../integrations/queries.ts';
import { itemsOf } from '../pages.ts';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

const CallWithToken = lazy(async () => ({
  default: (await import('../applications/call-with-token.tsx')).CallWithToken,
}));

/** Milliseconds between two looks for tools, until some are known. */
const WAIT_FOR_TOOLS = 2_000;

export interface CallState {
  /** Whether a client other than the console has called. */
  readonly hasCalled: boolean;
  /** The person leaves the steps. */
  readonly onDone: () => void;
}

interface FirstCallStepProps {
  readonly progress: Progress;
  readonly call: CallState;
}

export function FirstCallStep({ progress, call: { hasCalled, onDone } }: FirstCallStepProps) {
  const { integration, application, isConnected } = progress;
  const isNow = integration !== undefined && application !== undefined && isConnected;
  return (
    <Step
      number={4}
      state={hasCalled ? 'done' : isNow ? 'now' : 'later'}
      title="Make the first call"
      sentence={
        hasCalled
          ? 'It works: calls go through Gatehouse.'
          : 'Copy it into the client. The light turns green at its first call.'
      }
      outcome={
        <div className="grid justify-items-start gap-3">
          <CallLight hasCalled />
          <Button look="primary" onClick={onDone}>
            Go to Home
          </Button>
        </div>
      }
    >
      {application !== undefined && <Snippets application={application} />}
    </Step>
  );
}

function Snippets({ application }: { application: Application }) {
  const isAdmin = useIsAdmin();
  const client = mcpClients.find(({ name }) => name === application.name) ?? mcpClients[0];
  const entry = entryOf(application);
  const tools = useInfiniteQuery({
    ...toolsQuery(entry?.integrationId ?? ''),
    enabled: isAdmin && entry !== undefined,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.length ? false : WAIT_FOR_TOOLS),
  });
  if (client === undefined || entry === undefined) return null;
  const { name, key, url, isOneUrl } = entry;
  const { oauth } = application;
  const clientId = oauth?.allowDynamicClients === false ? oauth.clientId : undefined;
  const call = tools.data && sampleCallOf(itemsOf(tools.data), entry);
  const target = { key: keyOf(key), url, clientId, call };
  const withToken = (
    <Suspense>
      <CallWithToken client={client} name={application.name} target={target} isOneUrl={isOneUrl} />
    </Suspense>
  );
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">{client.how}</p>
      <Snippet client={client} name={name} target={target} />
      {client.run !== undefined && withToken}
      {client.run === undefined && isOneUrl && (
        <details>
          <summary className="w-fit text-ink-2 hover:text-ink">
            Or call it from a terminal, with curl
          </summary>
          <div className="mt-2">{withToken}</div>
        </details>
      )}
      <CallLight hasCalled={false} />
    </div>
  );
}

/** The one URL of the application; where that does not list the tools, the URL of an integration. */
function entryOf({ name, mcpUrl, aggregate, integrations }: Application) {
  const [first] = integrations.filter((each) => each.mcpUrl !== null && each.archivedAt === null);
  if (first === undefined || first.mcpUrl === null) return undefined;
  const { id: integrationId, alias } = first;
  const isOneUrl = mcpUrl !== null && aggregate.mode === 'list';
  return isOneUrl
    ? {
        ...{ integrationId, isOneUrl, alias, longest: aggregate.nameLength },
        ...{ name: `all of ${name}`, key: name, url: mcpUrl },
      }
    : {
        ...{ integrationId, isOneUrl, alias: undefined, longest: Number.POSITIVE_INFINITY },
        ...{ name: first.name, key: first.name, url: first.mcpUrl },
      };
}
