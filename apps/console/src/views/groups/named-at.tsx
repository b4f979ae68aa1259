import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { integrationQuery } from '../integrations/queries.ts';
import type { Place } from './places.ts';

/** The policies that name a group, each with the way there. */
export function NamedAt({ places }: { places: readonly Place[] }) {
  return (
    <ul className="mt-1 list-disc pl-5">
      {places.map((place) => (
        <li key={`${place.applicationId} ${place.integrationId}`}>
          <PlaceName place={place} />
        </li>
      ))}
    </ul>
  );
}

function PlaceName({ place: { integrationId, applicationId = '' } }: { place: Place }) {
  const integration = useQuery(integrationQuery(integrationId));
  const application = useQuery({
    queryKey: ['applications', 'name', applicationId],
    queryFn: async () => (await gatehouse.applications.get(applicationId)).application.name,
    enabled: applicationId !== '',
  });
  const name = integration.data?.integration.name ?? integrationId;
  return (
    <span className="foreign">
      The policy of{' '}
      <Link
        to="/integrations/$id"
        params={{ id: integrationId }}
        search={{ tab: 'policy' }}
        className="font-medium text-accent underline"
      >
        {name}
      </Link>
      {applicationId !== '' && ` in ${application.data ?? applicationId}`}
    </span>
  );
}
