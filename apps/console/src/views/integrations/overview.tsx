import { authModeLabels, credentialFieldsOf, integrationCategoryLabels } from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { labelOf, sentenceOf } from '../../api/labels.ts';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Mono, Pair, Pairs } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { Ladder, LadderRunning } from './ladder.tsx';
import { nextStepOf } from './next-step.ts';
import { OauthClient } from './oauth-client.tsx';
import { IntegrationStatus } from './status.tsx';
import type { Validation } from './use-validation.ts';

const ClientPanel = lazy(async () => ({
  default: (await import('./client-panel.tsx')).ClientPanel,
}));

const LastDayPanel = lazy(async () => ({
  default: (await import('../usage/last-day-panel.tsx')).LastDayPanel,
}));

const ConnectButton = lazy(async () => ({
  default: (await import('../connections/connect-button.tsx')).ConnectButton,
}));

const WhoGets = lazy(async () => ({ default: (await import('./who-gets.tsx')).WhoGets }));

const route = getRouteApi('/integrations/$id');

interface OverviewProps {
  readonly integration: Integration;
  readonly validation: Validation;
}

export function Overview({ integration, validation }: OverviewProps) {
  const isAdmin = useIsAdmin();
  const { client } = route.useSearch();
  const { authMode, archivedAt } = integration;
  const lastDay = isAdmin ? 'Last 24 hours' : 'Your last 24 hours';
  const isEntering = isAdmin && client && authMode === 'oauth' && archivedAt === null;
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1.6fr)_minmax(280px,1fr)]">
      <div className="grid gap-4">
        {isEntering && (
          <Suspense fallback={null}>
            <ClientPanel integration={integration} />
          </Suspense>
        )}
        <Usability integration={integration} validation={validation} />
      </div>
      <div className="grid gap-4">
        <Suspense
          fallback={
            <Panel title={lastDay}>
              <SkeletonText />
            </Panel>
          }
        >
          <LastDayPanel title={lastDay} of="integration" id={integration.id} />
        </Suspense>
        {isAdmin && integration.category === 'internal_mcp_credentials' && (
          <Suspense fallback={null}>
            <WhoGets integration={integration} />
          </Suspense>
        )}
        <Details integration={integration} />
      </div>
    </div>
  );
}

function Usability({ integration, validation }: OverviewProps) {
  const isAdmin = useIsAdmin();
  const { validationMessage, lastValidatedAt } = integration;
  const { data, error, isFetching } = validation;
  const sentence = validationMessage ?? data?.message;
  const stages = integration.validationStages ?? data?.stages;
  return (
    <Panel
      title="Can it be used?"
      aside={
        lastValidatedAt !== undefined && (
          <>
            validated <Time at={lastValidatedAt} />
          </>
        )
      }
    >
      <div className="grid gap-1 px-4 pt-3 pb-1">
        <IntegrationStatus integration={integration} />
        {sentence !== undefined && <p className="foreign">{sentence}</p>}
        <NextStep integration={integration} />
      </div>
      {isFetching ? (
        <LadderRunning />
      ) : error !== null ? (
        <Problem error={error} onRetry={validation.refetch} />
      ) : stages !== undefined ? (
        <Ladder stages={stages} />
      ) : (
        <Empty
          sentence={
            isAdmin
              ? 'The stages are shown when it is validated here.'
              : 'Admins validate it. Your own connection is tested in My connections.'
          }
        />
      )}
    </Panel>
  );
}

/** The one thing that is missing, as a button. */
function NextStep({ integration }: { integration: Integration }) {
  const isAdmin = useIsAdmin();
  const { client: isEntering } = route.useSearch();
  switch (nextStepOf(integration)) {
    case 'connect':
      return (
        <div className="pt-2">
          <Suspense fallback={null}>
            <ConnectButton integration={integration} />
          </Suspense>
        </div>
      );
    case 'client':
      if (!isAdmin || isEntering) return null;
      return (
        <div className="pt-2">
          <Link
            from="/integrations/$id"
            search={{ client: true }}
            className={buttonClass('primary')}
          >
            Enter a client
          </Link>
        </div>
      );
    default:
      return null;
  }
}

function Details({ integration }: { integration: Integration }) {
  const isAdmin = useIsAdmin();
  const { id, url, authMode, category, createdAt, updatedAt, oauth, validateEveryMinutes } =
    integration;
  const { certificateExpiresAt } = integration;
  return (
    <Panel title="Details">
      <Pairs>
        <Pair name="URL">
          <Mono>{url}</Mono>
        </Pair>
        <Pair name="Connect by">
          {labelOf(authModeLabels, authMode)}
          <HowItIsSent integration={integration} />
        </Pair>
        <Pair name="Used">{sentenceOf(integrationCategoryLabels, category)}</Pair>
        {oauth?.provider !== undefined && <Pair name="Provider">{oauth.provider}</Pair>}
        {oauth?.issuer !== undefined && (
          <Pair name="Issuer">
            <Mono>{oauth.issuer}</Mono>
          </Pair>
        )}
        {oauth !== undefined && oauth.scopes.length > 0 && (
          <Pair name="Scopes">
            <Mono>{oauth.scopes.join(' ')}</Mono>
          </Pair>
        )}
        {isAdmin && oauth !== undefined && <OauthClient integration={integration} />}
        {validateEveryMinutes !== undefined && (
          <Pair name="Validated">automatically, every {validateEveryMinutes} minutes</Pair>
        )}
        {certificateExpiresAt !== undefined && (
          <Pair name="Certificate">
            expires <Time at={certificateExpiresAt} />
          </Pair>
        )}
        <Pair name="Id">
          <Mono>{id}</Mono>
        </Pair>
        <Pair name="Added">
          <Time at={createdAt} />
        </Pair>
        <Pair name="Changed">
          <Time at={updatedAt} />
        </Pair>
      </Pairs>
    </Panel>
  );
}

function HowItIsSent({ integration }: { integration: Integration }) {
  const { authMode, credentialSchema, serverTokenConfigured } = integration;
  if (authMode === 'none' || authMode === 'oauth') return null;
  const fields = credentialFieldsOf(credentialSchema);
  const sent = fields.map(({ property }) => property?.header ?? 'authorization');
  return (
    <>
      , sent as <Mono>{[...new Set(sent)].join(', ')}</Mono>
      {authMode === 'server_token' && !serverTokenConfigured && '; no token is stored'}
    </>
  );
}
