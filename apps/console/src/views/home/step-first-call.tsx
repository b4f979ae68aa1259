import type { Application } from '@gatehouse/sdk';
import { keyOf, mcpClients } from '../applications/clients.ts';
import { FirstCall, Snippet } from '../applications/connect-client.tsx';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

export function FirstCallStep({ progress }: { progress: Progress }) {
  const { integration, application, isConnected } = progress;
  const isNow = integration !== undefined && application !== undefined && isConnected;
  return (
    <Step
      number={4}
      state={isNow ? 'now' : 'later'}
      title="Make the first call"
      sentence="Copy it into the client. The light turns green at its first call."
    >
      {application !== undefined && <Snippets application={application} />}
    </Step>
  );
}

function Snippets({ application }: { application: Application }) {
  const client = mcpClients.find(({ name }) => name === application.name) ?? mcpClients[0];
  const [first] = application.integrations;
  if (client === undefined || first === undefined || first.mcpUrl === null) return null;
  const { oauth } = application;
  const clientId = oauth?.allowDynamicClients === false ? oauth.clientId : undefined;
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">{client.how}</p>
      <Snippet
        client={client}
        name={first.name}
        target={{ key: keyOf(first.name), url: first.mcpUrl, clientId }}
      />
      <FirstCall application={application} />
    </div>
  );
}
