import type { Integration, Token } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { onceAMinute } from '../../api/refresh.ts';
import { useIsAdmin } from '../../shell/me.ts';
import { itemsOf } from '../pages.ts';
import { tokensQuery } from '../tokens/queries.ts';
import { type Need, SMALL } from './need.ts';

const DAY = 24 * 60 * 60_000;
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

/** TLS certificates that end within 14 days, for admins. One that has ended makes its integration invalid. */
export function useEndingCertificates(integrations: readonly Integration[]): Need[] {
  const isAdmin = useIsAdmin();
  return isAdmin ? integrations.flatMap(certificateOf) : [];
}

function certificateOf({ id, name, validationStatus, certificateExpiresAt }: Integration): Need[] {
  if (validationStatus === 'invalid' || !endsWithin(14, certificateExpiresAt)) return [];
  const title = `The certificate of ${name} ends`;
  const sentence = `It expires on ${dateOf(certificateExpiresAt)}, and then nobody can use the integration. Ask the operator of the server to renew it; a validation sees the new one.`;
  const action = (
    <Link to="/integrations/$id" params={{ id }} className={SMALL}>
      Look at it
    </Link>
  );
  return [{ key: `certificate ${id}`, tone: 'warn', title, sentence, action }];
}

/** The person's own tokens that end within 7 days, among the newest. */
export function useEndingTokens(): Need[] {
  const { data } = useInfiniteQuery({
    ...tokensQuery,
    ...onceAMinute,
  });
  return data === undefined ? [] : itemsOf(data).flatMap(tokenOf);
}

function tokenOf({ id, name, expiresAt }: Token): Need[] {
  if (!endsWithin(7, expiresAt)) return [];
  const title = `Your token ${name} ends`;
  const sentence = `It expires on ${dateOf(expiresAt)}. Give the programs that use it another one.`;
  const action = (
    <Link to="/tokens" className={SMALL}>
      My tokens
    </Link>
  );
  return [{ key: `token ${id}`, tone: 'warn', title, sentence, action }];
}

function endsWithin(days: number, at: string | null | undefined): at is string {
  const left = Date.parse(at ?? '') - Date.now();
  return left > 0 && left < days * DAY;
}

function dateOf(at: string): string {
  return dates.format(new Date(at));
}
