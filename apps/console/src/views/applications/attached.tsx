import { authModeLabels } from '@gatehouse/contract';
import type { Application, AttachedIntegration } from '@gatehouse/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { labelOf } from '../../api/labels.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Logo } from '../../components/logo.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { IntegrationStatus } from '../integrations/status.tsx';
import { AttachDialog } from './attach-dialog.tsx';
import { DetachDialog } from './detach-dialog.tsx';
import { OneUrl } from './one-url.tsx';
import { useAsk } from './use-ask.ts';

const route = getRouteApi('/applications/$id');

/** @param detach undefined where the application cannot be changed */
function columnsFor(
  applicationId: string,
  detach: ((integration: AttachedIntegration) => void) | undefined,
): Column<AttachedIntegration, ReactNode>[] {
  return [
    {
      id: 'name',
      header: 'Integration',
      cell: ({ id, name }) => (
        <span className="flex items-center gap-2.5">
          <Logo name={name} />
          <Link
            to="/integrations/$id"
            params={{ id }}
            className="foreign line-clamp-1 max-w-[44ch] font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      cell: (integration) => <IntegrationStatus integration={integration} />,
    },
    {
      id: 'mode',
      header: 'Connect by',
      isOptional: true,
      cell: ({ authMode }) => (
        <span className="text-ink-2">{labelOf(authModeLabels, authMode)}</span>
      ),
    },
    {
      id: 'attached',
      header: 'Attached',
      isOptional: true,
      cell: ({ attachedAt }) => (
        <span className="text-ink-2">
          <Time at={attachedAt} />
        </span>
      ),
    },
    {
      id: 'detach',
      header: 'Change',
      align: 'right',
      cell: (integration) =>
        detach && (
          <span className="relative z-1 inline-flex items-end gap-1 max-[560px]:flex-col max-[560px]:py-1.5">
            <Link
              to="/applications/$id/integrations/$integrationId/policy"
              params={{ id: applicationId, integrationId: integration.id }}
              aria-label={`Rules of ${integration.name}`}
              className={buttonClass('secondary', 'small')}
            >
              Rules
            </Link>
            <Button
              size="small"
              look="plain"
              aria-label={`Detach ${integration.name}`}
              onClick={() => detach(integration)}
            >
              Detach
            </Button>
          </span>
        ),
    },
  ];
}

/** What an application may use, in the order in which it was attached. */
export function Attached({ application }: { application: Application }) {
  const { integrations, canModify } = application;
  const isAttaching = route.useSearch().ask === 'attach' && canModify;
  const ask = useAsk();
  const [leaving, setLeaving] = useState<AttachedIntegration>();
  const attach = canModify && (
    <Button size="small" onClick={() => ask('attach')}>
      Attach integrations
    </Button>
  );
  return (
    <div className="grid gap-4">
      <Panel title="What it may use" aside={attach}>
        {integrations.length === 0 ? (
          <Empty sentence="Nothing is attached: the application reaches no integration." />
        ) : (
          <DataTable
            caption="Attached integrations"
            columns={columnsFor(application.id, canModify ? setLeaving : undefined)}
            rows={integrations}
            rowKey={({ id }) => id}
          />
        )}
        {isAttaching && <AttachDialog application={application} onClose={() => ask(undefined)} />}
        {leaving !== undefined && (
          <DetachDialog
            application={application}
            integration={leaving}
            onClose={() => setLeaving(undefined)}
          />
        )}
      </Panel>
      {integrations.length > 0 && <OneUrl application={application} />}
    </div>
  );
}
