/** A browser without scripts: it keeps cookies by path, follows no redirect by itself, and fills in forms. */
export class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
  readonly #origin: string;
  readonly #address: string;

  /** @param address where the origin is served, if it is only a name */
  constructor(origin: string, address = origin) {
    this.#origin = origin;
    this.#address = address;
  }

  /** Takes a Set-Cookie value. */
  accept(setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split(/; */);
    const end = pair.indexOf('=');
    const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/';
    const isRemoved = attributes.some((text) =>
      /^(max-age=0|expires=Thu, 01 Jan 1970)/i.test(text),
    );
    const key = `${pair.slice(0, end)} ${path}`;
    if (isRemoved) this.#cookies.delete(key);
    else this.#cookies.set(key, { value: pair, path });
  }

  /** A cookie of every path, as a Cookie header has it. */
  cookie(name: string): string {
    return this.#cookies.get(`${name} /`)?.value ?? '';
  }

  async get(url: string): Promise<Response> {
    return this.#send(url, { headers: { 'sec-fetch-site': 'same-origin' } });
  }

  /** Sends the first form of a page with these values. */
  async submit(page: string, values: Readonly<Record<string, string>>): Promise<Response> {
    const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1] ?? '';
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const fields = hidden.map(([, name = '', value = '']) => [name, value] as const);
    return this.#send(action.replaceAll('&amp;', '&'), {
      method: 'POST',
      headers: { origin: this.#origin, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ ...Object.fromEntries(fields), ...values }),
    });
  }

  async #send(target: string, init: RequestInit): Promise<Response> {
    const url = new URL(target, this.#origin);
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ value }) => value)
      .join('; ');
    const headers = { ...init.headers, cookie };
    const served =
      url.origin === this.#origin ? new URL(url.pathname + url.search, this.#address) : url;
    const response = await fetch(served, { ...init, headers, redirect: 'manual' });
    for (const setCookie of response.headers.getSetCookie()) this.accept(setCookie);
    return response;
  }
}
