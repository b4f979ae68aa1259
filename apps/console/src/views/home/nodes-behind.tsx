import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { onceAMinute } from '../../api/refresh.ts';
import { useIsAdmin } from '../../shell/me.ts';
import { olderNodes } from '../settings/older-nodes.ts';
import { installationQuery } from '../settings/queries.ts';
import { type Need, SMALL } from './need.ts';

/**
 * Nodes with an older version than another one, for admins; undefined while they are not known. During a rolling upgrade
 * they are expected.
 */
export function useNodesBehind(): Need[] | undefined {
  const { data, isLoading } = useQuery({
    ...installationQuery,
    enabled: useIsAdmin(),
    ...onceAMinute,
  });
  if (isLoading) return undefined;
  const { newest, older } = olderNodes(data?.nodes ?? []);
  return older.map(({ id, name, version }) => ({
    key: `node ${id}`,
    tone: 'warn',
    title: `${name} runs an older version`,
    sentence: `It runs ${version}, another node runs ${newest}. After an upgrade, an operator restarts it with the newer version.`,
    action: (
      <Link to="/settings" className={SMALL}>
        See the nodes
      </Link>
    ),
  }));
}
