import type { DiscoverIntegrationResponse, Integration } from '@gatehouse/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { CreateForm } from './create-form.tsx';
import { UrlForm } from './url-form.tsx';

/** First the URL; then what could not be found out. */
export function AddSteps({ onCreated }: { onCreated: (integration: Integration) => unknown }) {
  const [found, setFound] = useState<{ url: string; response: DiscoverIntegrationResponse }>();
  const discover = useMutation({
    mutationFn: (url: string) =>
      gatehouse.request('POST', '/integrations/discover', { body: { url } }),
    onSuccess: (response, url) => setFound({ url, response }),
  });
  return found === undefined ? (
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
      onCreated={onCreated}
    />
  );
}
