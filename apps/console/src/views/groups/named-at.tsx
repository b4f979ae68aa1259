import type { GroupPoliciesResponse } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';

const LINK = 'font-medium text-accent underline';

/** The policies that name a group, each with the way there. */
export function NamedAt({ policies, truncated }: GroupPoliciesResponse) {
  return (
    <ul className="list-disc pl-5">
      {policies.map(({ integrationId, integrationName, applicationId, applicationName }) => (
        <li key={`${applicationId} ${integrationId}`} className="foreign">
          The policy of{' '}
          {applicationId === null ? (
            <Link
              to="/integrations/$id"
              params={{ id: integrationId }}
              search={{ tab: 'policy' }}
              className={LINK}
            >
              {integrationName}
            </Link>
          ) : (
            <Link
              to="/applications/$id/integrations/$integrationId/policy"
              params={{ id: applicationId, integrationId }}
              className={LINK}
            >
              {integrationName} in {applicationName}
            </Link>
          )}
        </li>
      ))}
      {truncated && <li>and more</li>}
    </ul>
  );
}
