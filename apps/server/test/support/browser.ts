import { hashPassword } from '../../src/identity/passwords.ts';
import { createSignInLink } from '../../src/identity/sign-in-links.ts';
import type { Store } from '../../src/platform/database/store.ts';
import type { TestServer } from './server.ts';

/** A response to a page or a form; redirects are not followed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface SendOptions {
  /** `null` omits it. Default: the origin of the server. */
  readonly origin?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser with cookies, which fills in the forms of pages and sends them. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;

  constructor({ origin }: Pick<TestServer, 'origin'>) {
    this.#origin = origin;
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    const url = this.#origin + path;
    const response = await fetch(url, { ...init, method, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  open(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** Sends fields as they are. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    { origin = this.#origin, headers = {} }: SendOptions = {},
  ): Promise<Answer> {
    return this.send('POST', path, {
      headers: { ...(origin === null ? {} : { origin }), ...headers },
      body: new URLSearchParams(fields),
    });
  }

  /** Opens a page and sends the form on it that goes to `action`. */
  async submit(
    page: string,
    fields: Readonly<Record<string, string>> = {},
    { action = page.split('?')[0] ?? page, ...options }: SendOptions & { action?: string } = {},
  ): Promise<Answer> {
    const { text } = await this.open(page);
    return this.post(action, { ...hiddenFieldsOf(text), ...fields }, options);
  }

  signIn(email: string, password: string): Promise<Answer> {
    return this.submit('/sign-in', { email, password });
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (line.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The hidden fields of all forms of a page; of two with one name the first. */
export function hiddenFieldsOf(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const found = inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]);
  return Object.fromEntries(found.filter(([name]) => name !== 'everywhere'));
}

/** The number of buttons, and links that look like one, in the colour of what to do next. */
export function primaryButtonsIn(text: string): number {
  const all = text.match(/<button\b[^>]*>|<a class="button[^>]*>/g) ?? [];
  return all.filter((tag) => !tag.includes('secondary')).length;
}

export const PASSWORD = 'seven grey herons at noon';

export interface TestPerson {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly name: string;
}

/** Gives a member that a test has made a password; without an id the owner of the first start. */
export async function givePassword(
  { db }: Store,
  id?: string,
  password = PASSWORD,
): Promise<TestPerson> {
  const found = await db.user.findFirstOrThrow({ where: id ? { id } : { role: 'owner' } });
  const passwordHash = await hashPassword(password);
  return db.user.update({ where: { id: found.id }, data: { passwordHash } });
}

/** The path of a new link for a member. */
export async function linkFor(
  store: Store,
  { id: userId, organizationId }: Pick<TestPerson, 'id' | 'organizationId'>,
  purpose: 'invitation' | 'reset' | 'sign_in',
): Promise<string> {
  const link = { organizationId, userId, purpose };
  const { secret } = await store.transaction((tx) => createSignInLink(tx, link));
  return `/sign-in/link/${secret}`;
}

/** A browser that is signed in, by a link. */
export async function signedInBrowser(
  server: TestServer,
  person: Pick<TestPerson, 'id' | 'organizationId'>,
): Promise<Browser> {
  const browser = new Browser(server);
  await browser.submit(await linkFor(server.store, person, 'sign_in'));
  return browser;
}
