import type { DiscoverIntegrationResponse } from '@gatehouse/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { CreateForm } from './create-form.tsx';
import { UrlForm } from './url-form.tsx';

const TITLE = 'Add an integration';

export function NewIntegration() {
  return useIsAdmin() ? <Steps /> : <AdminsOnly title={TITLE} />;
}

/** First the URL; then what could not be found out. */
function Steps() {
  const [found, setFound] = useState<{ url: string; response: DiscoverIntegrationResponse }>();
  const discover = useMutation({
    mutationFn: (url: string) =>
      gatehouse.request('POST', '/integrations/discover', { body: { url } }),
    onSuccess: (response, url) => setFound({ url, response }),
  });
  return (
    <>
      <PageHead
        title={TITLE}
        sentence="Paste the URL of an MCP server. What can be found out is filled in."
        above={{ to: '/integrations', label: 'Integrations' }}
      />
      <div className="max-w-3xl">
        <Panel title={found === undefined ? 'Where is the server?' : 'What was found'}>
          <div className="p-4">
            {found === undefined ? (
              <UrlForm
                isBusy={discover.isPending}
                error={discover.error}
                onSubmit={(url) => discover.mutate(url)}
              />
            ) : (
              <CreateForm
                url={found.url}
                found={found.response}
                onOtherUrl={() => setFound(undefined)}
              />
            )}
          </div>
        </Panel>
      </div>
    </>
  );
}
