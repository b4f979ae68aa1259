import { type Html, html } from '../http/pages/html.ts';
import {
  describeGrants,
  type GrantDescription,
  listGrants,
} from '../identity/grants/list-grants.ts';
import type { Db } from '../platform/database/store.ts';

const PER_PAGE = 20;

/** Some of the grants of a person, newest first. */
export interface GrantsShown {
  readonly grants: readonly GrantDescription[];
  /** After which there are more. */
  readonly last: string | undefined;
}

/** @param before the id of the grant after which to go on */
export async function findGrantsShown(
  db: Db,
  userId: string,
  before?: string,
): Promise<GrantsShown> {
  const found = await listGrants(db, userId, { before, take: PER_PAGE + 1 });
  const rows = found.slice(0, PER_PAGE);
  const last = found.length > PER_PAGE ? rows.at(-1)?.id : undefined;
  return { grants: await describeGrants(db, rows), last };
}

/** @param formField the hidden field that each of its forms needs @param level of its headings */
export function grantsHtml({ grants, last }: GrantsShown, formField: Html, level: 2 | 3): Html {
  if (grants.length === 0) return html`<p class="quiet">No application works for you.</p>`;
  return html`${grants.map((grant) => grantHtml(grant, formField, level))}
${last && html`<p class="more"><a href="/account/grants?before=${last}">More applications</a></p>`}`;
}

function grantHtml(grant: GrantDescription, formField: Html, level: 2 | 3): Html {
  const { id, applicationName, clientName, isConsole, createdAt, lastUsedAt } = grant;
  const name = clientName ?? applicationName;
  return html`<article class="row" aria-labelledby="grant-${id}">
<h${level} id="grant-${id}">${name}</h${level}>
${clientName && html`<p class="quiet">${isConsole ? 'It' : 'It gave itself this name, and'} uses the integrations of ${applicationName}.</p>`}
<p>${usesOf(grant)}</p>
<p class="quiet">Since ${dateHtml(createdAt)}, ${lastUsedAt === null ? 'not used yet' : html`last used on ${dateHtml(lastUsedAt)}`}</p>
<form method="post" action="/account/grants/${id}/end">${formField}<button class="secondary" aria-describedby="grant-${id}">End</button></form>
</article>`;
}

function usesOf({ integrationNames, moreIntegrations, scopes }: GrantDescription): string {
  const parts = [...integrationNames];
  if (moreIntegrations > 0) parts.push(`${moreIntegrations} more`);
  if (scopes.includes('management:write')) parts.push('changes settings of this Gatehouse');
  else if (scopes.includes('management:read')) parts.push('sees settings of this Gatehouse');
  return parts.length === 0 ? 'Uses nothing at present' : `Uses: ${parts.join(', ')}`;
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function dateHtml(date: Date): Html {
  return html`<time datetime="${date.toISOString()}">${dates.format(date)}</time>`;
}
