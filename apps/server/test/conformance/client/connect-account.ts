import { arrive, leave, type Member } from '../../connect/fixture.ts';

/** Where a person is sent, in what a client shows. */
const LINK = /https?:\/\/[^/\s]+(\/connect\?integration=[^\s]+)/;

/** The path of the page to connect at; undefined where no text names it. */
export function connectPathIn(text: string): string | undefined {
  return LINK.exec(text)?.[1];
}

/**
 * Opens the page, goes on to the provider, which allows everything at once, and comes back.
 *
 * @throws Error with what a page says instead of "connected"
 */
export async function connectAccount(
  { browser }: Pick<Member, 'browser'>,
  path: string,
): Promise<void> {
  const away = await leave({ browser }, path);
  const { headers } = await fetch(away, { redirect: 'manual' });
  const back = headers.get('location');
  if (back === null) throw new Error('The provider does not come back.');
  const { status, title } = await arrive({ browser }, new URL(back));
  if (status !== 200) throw new Error(`Not connected: ${title}`);
}
