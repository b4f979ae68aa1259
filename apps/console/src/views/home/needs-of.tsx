import { connectionReasonLabels } from '@gatehouse/contract';
import type { Overview, OverviewAttention } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../api/labels.ts';
import { isolated } from '../../components/with-names.tsx';
import { type Need, SMALL } from './need.ts';

type ItemOf<Kind extends keyof OverviewAttention> = OverviewAttention[Kind]['items'][number];

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const words = new Intl.ListFormat('en', { type: 'conjunction' });
const dateOf = (at: string) => dates.format(new Date(at));

/** What the overview names, each with its cause and the button that helps; and how many more there are of a kind. */
export function needsOf(attention: Overview['attention']): Need[] {
  const { invalidIntegrations, connections, certificates, tokens, changedTools } = attention;
  return [
    ...invalidIntegrations.items.map(invalidOf),
    ...moreOf(invalidIntegrations, 'bad', 'integrations cannot be used', INVALID),
    ...connections.items.map(connectionOf),
    ...moreOf(connections, 'warn', 'connections of yours do not work', CONNECTIONS),
    ...certificates.items.map(certificateOf),
    ...moreOf(certificates, 'warn', 'certificates end', INTEGRATIONS),
    ...tokens.items.map(tokenOf),
    ...moreOf(tokens, 'warn', 'tokens of yours end', TOKENS),
    ...changedTools.items.map(changedOf),
    ...moreOf(changedTools, 'warn', 'integrations changed tools', INTEGRATIONS),
  ];
}

const INVALID = (
  <Link to="/integrations" search={{ status: 'invalid' }} className={SMALL}>
    See them
  </Link>
);
const INTEGRATIONS = (
  <Link to="/integrations" className={SMALL}>
    All integrations
  </Link>
);
const CONNECTIONS = (
  <Link to="/connections" className={SMALL}>
    My connections
  </Link>
);
const TOKENS = (
  <Link to="/tokens" className={SMALL}>
    My tokens
  </Link>
);

function moreOf(
  { total, items }: { readonly total: number; readonly items: readonly unknown[] },
  tone: Need['tone'],
  what: string,
  action: Need['action'],
): Need[] {
  const more = total - items.length;
  if (more <= 0) return [];
  const title = `${more.toLocaleString('en')} more ${what}`;
  return [{ key: what, tone, title, sentence: '', action, stands: more }];
}

function invalidOf({ id, name, message }: ItemOf<'invalidIntegrations'>): Need {
  const action = (
    <Link to="/integrations/$id" params={{ id }} className={SMALL}>
      Look at it
    </Link>
  );
  const title = `${name} cannot be used`;
  return { key: `invalid ${id}`, tone: 'bad', title, sentence: message ?? '', action };
}

function connectionOf({ integrationId: id, name, reason }: ItemOf<'connections'>): Need {
  const action = (
    <Link to="/connections" search={{ connect: id }} className={SMALL}>
      Connect again
    </Link>
  );
  const title = `Connect ${name} again`;
  const sentence = sentenceOf(connectionReasonLabels, reason);
  return { key: `connection ${id}`, tone: 'warn', title, sentence, action };
}

function certificateOf({ id, name, expiresAt }: ItemOf<'certificates'>): Need {
  const title = `The certificate of ${name} ends`;
  const sentence = `It expires on ${dateOf(expiresAt)}, and then nobody can use the integration. Ask the operator of the server to renew it; a validation sees the new one.`;
  const action = (
    <Link to="/integrations/$id" params={{ id }} className={SMALL}>
      Look at it
    </Link>
  );
  return { key: `certificate ${id}`, tone: 'warn', title, sentence, action };
}

function tokenOf({ id, name, expiresAt }: ItemOf<'tokens'>): Need {
  const title = `Your token ${name} ends`;
  const sentence = `It expires on ${dateOf(expiresAt)}. Give the programs that use it another one.`;
  return { key: `token ${id}`, tone: 'warn', title, sentence, action: TOKENS };
}

function changedOf({ id, name, toolCount, toolNames }: ItemOf<'changedTools'>): Need {
  const action = (
    <Link
      to="/integrations/$id"
      params={{ id }}
      search={{ tab: 'tools', show: 'changed' }}
      className={SMALL}
    >
      Review changes
    </Link>
  );
  const more = toolCount - toolNames.length;
  const named = words.format([...toolNames.map(isolated), ...(more > 0 ? [`${more} more`] : [])]);
  const title = `${name} changed ${toolCount === 1 ? 'a tool' : `${toolCount} tools`}`;
  const sentence = `${named} ${toolCount === 1 ? 'has' : 'have'} another definition than the approved one.`;
  return { key: `tools ${id}`, tone: 'warn', title, sentence, action };
}
