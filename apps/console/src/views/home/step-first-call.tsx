import type { Application } from '@gatehouse/sdk';
import { Button } from '../../components/button.tsx';
import { keyOf, mcpClients } from '../applications/clients.ts';
import { CallLight, Snippet } from '../applications/connect-client.tsx';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

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
  const client = mcpClients.find(({ name }) => name === application.name) ?? mcpClients[0];
  const entry = entryOf(application);
  if (client === undefined || entry === undefined) return null;
  const { name, key, url } = entry;
  const { oauth } = application;
  const clientId = oauth?.allowDynamicClients === false ? oauth.clientId : undefined;
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">{client.how}</p>
      <Snippet client={client} name={name} target={{ key: keyOf(key), url, clientId }} />
      <CallLight hasCalled={false} />
    </div>
  );
}

/** The one URL of the application; where that is off, the URL of an integration. */
function entryOf({ name, mcpUrl, integrations }: Application) {
  const [first] = integrations.filter((each) => each.mcpUrl !== null && each.archivedAt === null);
  if (first === undefined || first.mcpUrl === null) return undefined;
  return mcpUrl === null
    ? { name: first.name, key: first.name, url: first.mcpUrl }
    : { name: `all of ${name}`, key: name, url: mcpUrl };
}
