import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { EditForm } from './edit-form.tsx';
import { integrationQuery } from './queries.ts';

const route = getRouteApi('/integrations/$id/edit');

export function EditIntegration() {
  const { id } = route.useParams();
  const isAdmin = useIsAdmin();
  const query = useQuery({ ...integrationQuery(id), enabled: isAdmin });
  if (!isAdmin) return <AdminsOnly title="Edit an integration" />;
  return (
    <>
      <PageHead
        title={query.data === undefined ? 'Edit' : `Edit ${query.data.integration.name}`}
        sentence="What is not changed here stays as it is. Secrets are replaced, and never shown."
        above={{ to: '/integrations', label: 'Integrations' }}
      />
      <div className="max-w-3xl">
        <Panel>
          <Load query={query} skeleton={<SkeletonText lines={5} />}>
            {(read) => <EditForm key={id} read={read} />}
          </Load>
        </Panel>
      </div>
    </>
  );
}
