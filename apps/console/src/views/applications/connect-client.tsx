import type { Application } from '@gatehouse/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { Status } from '../../components/status.tsx';
import { keyOf, type McpClient, mcpClients, type Target } from './clients.ts';

const CallWithToken = lazy(async () => ({
  default: (await import('./call-with-token.tsx')).CallWithToken,
}));

const route = getRouteApi('/applications/$id');

/** The snippet of a client for the one URL and for each integration, with this installation's own URLs. */
export function ConnectClient({ application }: { application: Application }) {
  const { id, name: applicationName, mcpUrl: oneUrl, integrations, oauth } = application;
  const search = route.useSearch();
  const client = mcpClients.find((each) => each.id === search.client) ?? mcpClients[0];
  const proxied = integrations.flatMap(({ name, mcpUrl, archivedAt }) =>
    mcpUrl === null || archivedAt !== null ? [] : [{ name, mcpUrl }],
  );
  if (client === undefined) return null;
  if (proxied.length === 0) {
    return (
      <Panel>
        <Empty
          sentence="Nothing that is called through the gateway is attached, so there is nothing to connect to yet."
          action={
            <Link
              to="/applications/$id"
              params={{ id }}
              search={{ tab: 'integrations' }}
              className={buttonClass('primary')}
            >
              Attach an integration
            </Link>
          }
        />
      </Panel>
    );
  }
  const clientId = oauth?.allowDynamicClients === false ? oauth.clientId : undefined;
  return (
    <Panel
      title="Connect a client"
      aside={<CallLight hasCalled={application.firstCallAt !== null} />}
    >
      <Clients chosen={client.id} />
      <p className="px-4 pt-3 text-ink-2">{client.how}</p>
      {oneUrl !== null && (
        <div className="grid gap-1 px-4 pt-3">
          <h3 className="font-medium">All integrations by one URL</h3>
          <p className="mb-1 text-ink-2">
            The client has the tools of all of them, each with the person’s own account.
          </p>
          <Snippet
            client={client}
            name={`all of ${applicationName}`}
            target={{ key: keyOf(applicationName), url: oneUrl, clientId }}
          />
          {client.run !== undefined && (
            <Suspense>
              <CallWithToken
                isOneUrl
                client={client}
                name={applicationName}
                target={{ key: keyOf(applicationName), url: oneUrl, clientId }}
              />
            </Suspense>
          )}
        </div>
      )}
      {oneUrl !== null && (
        <p className="mx-4 mt-4 border-t border-line pt-3 text-ink-2">Or each of them alone:</p>
      )}
      <ul className="grid gap-4 px-4 pt-3 pb-4">
        {proxied.map(({ name, mcpUrl }) => (
          <li key={mcpUrl}>
            <h3 className="foreign mb-1 font-medium">{name}</h3>
            <Snippet
              client={client}
              name={name}
              target={{ key: keyOf(name), url: mcpUrl, clientId }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Clients({ chosen }: { chosen: string }) {
  return (
    <nav
      aria-label="Client"
      className="flex flex-wrap gap-x-1 gap-y-1 border-b border-line px-3 py-2"
    >
      {mcpClients.map(({ id, name }) => (
        <Link
          key={id}
          from="/applications/$id"
          search={{ client: id }}
          replace
          activeOptions={{ exact: true }}
          aria-current={id === chosen ? 'page' : 'false'}
          className="rounded-6 px-2.5 py-1 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

interface SnippetProps {
  readonly client: McpClient;
  readonly name: string;
  readonly target: Target;
}

export function Snippet({ client, name, target }: SnippetProps) {
  return (
    <div className="grid gap-2">
      <Code text={client.snippet(target)} label={`${client.name} for ${name}`} />
      {client.install !== undefined && (
        <div>
          <a href={client.install(target)} className={buttonClass('secondary', 'small')}>
            <Icon name="open" />
            Open in {client.name}
          </a>
        </div>
      )}
    </div>
  );
}

/** Turns green at the first call of a client. */
export function CallLight({ hasCalled }: { hasCalled: boolean }) {
  return (
    <span role="status">
      {hasCalled ? (
        <Status tone="ok">A client has called</Status>
      ) : (
        <Status tone="idle">Waiting for the first call</Status>
      )}
    </span>
  );
}
