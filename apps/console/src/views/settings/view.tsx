import { useQuery } from '@tanstack/react-query';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { Nodes } from './nodes.tsx';
import { Keys, Limits, SignIn, Store, Versions } from './panels.tsx';
import { installationQuery } from './queries.ts';

export function Settings() {
  return useIsAdmin() ? <InstallationSettings /> : <AdminsOnly title="Settings" />;
}

function InstallationSettings() {
  const query = useQuery(installationQuery);
  return (
    <>
      <PageHead
        title="Settings"
        sentence="What this installation runs with. An operator changes it at each node, not here."
      />
      <Load isView query={query} skeleton={<SkeletonText lines={6} />}>
        {(installation) => (
          <div className="grid gap-4">
            <Nodes installation={installation} />
            <div className="grid items-start gap-4 wide:grid-cols-2">
              <div className="grid gap-4">
                <Versions installation={installation} />
                <Store installation={installation} />
                <Keys installation={installation} />
              </div>
              <div className="grid gap-4">
                <SignIn installation={installation} />
                <Limits installation={installation} />
              </div>
            </div>
          </div>
        )}
      </Load>
    </>
  );
}
