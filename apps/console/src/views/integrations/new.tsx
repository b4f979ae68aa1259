import { useNavigate } from '@tanstack/react-router';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { AddSteps } from './add-steps.tsx';

const TITLE = 'Add an integration';

export function NewIntegration() {
  const navigate = useNavigate();
  if (!useIsAdmin()) return <AdminsOnly title={TITLE} />;
  return (
    <>
      <PageHead
        title={TITLE}
        sentence="Paste the URL of an MCP server. Gatehouse fills in what it can find out."
        above={{ to: '/integrations', label: 'Integrations' }}
      />
      <div className="max-w-3xl">
        <Panel>
          <div className="p-4">
            <AddSteps
              onCreated={({ id }) => navigate({ to: '/integrations/$id', params: { id } })}
            />
          </div>
        </Panel>
      </div>
    </>
  );
}
