import type { Integration } from '@gatehouse/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { AddSteps } from './add-steps.tsx';

const CredentialsForm = lazy(async () => ({
  default: (await import('./credentials-form.tsx')).CredentialsForm,
}));

const route = getRouteApi('/integrations/new');
const TITLE = 'Add an integration';

export function NewIntegration() {
  const navigate = useNavigate();
  const { credentials: isStore } = route.useSearch();
  const created = ({ id }: Integration) => navigate({ to: '/integrations/$id', params: { id } });
  if (!useIsAdmin()) return <AdminsOnly title={TITLE} />;
  return (
    <>
      <PageHead
        title={TITLE}
        sentence={
          isStore
            ? 'It stores credentials and hands them out. No calls go through the gateway.'
            : 'Paste the URL of an MCP server. Gatehouse fills in what it can find out.'
        }
        above={{ to: '/integrations', label: 'Integrations' }}
      />
      <div className="max-w-3xl">
        <Panel>
          <div className="p-4">
            <Suspense fallback={<SkeletonText lines={5} />}>
              {isStore ? <CredentialsForm onCreated={created} /> : <AddSteps onCreated={created} />}
            </Suspense>
          </div>
        </Panel>
        <p className="mt-3 text-ink-2">
          {isStore ? (
            <Link to="/integrations/new" className="text-accent underline">
              Add an MCP server instead
            </Link>
          ) : (
            <>
              Is it no MCP server, but an API that programs call themselves?{' '}
              <Link
                to="/integrations/new"
                search={{ credentials: true }}
                className="text-accent underline"
              >
                Only store its credentials
              </Link>
            </>
          )}
        </p>
      </div>
    </>
  );
}
