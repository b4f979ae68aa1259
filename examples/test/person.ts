/**
 * A person at a browser without scripts: they sign in by a link, and press the first button of whatever
 * asks. At a provider they are the first account.
 */
export class Person {
  readonly #cookies = new Map<string, string>();

  async signIn(link: string): Promise<void> {
    await this.#submit(link, await (await this.#open(link)).text());
  }

  /** Follows a URL to the end, pressing the buttons on the way. */
  async open(url: string): Promise<void> {
    let response = await this.#open(url);
    for (let step = 0; step < 10; step += 1) {
      const location = response.headers.get('location');
      if (location !== null) {
        response = await this.#open(new URL(location, response.url).href);
      } else {
        const page = await response.text();
        const [, decision] = /name="decision" value="([^"]*)"/.exec(page) ?? [];
        if (decision === undefined) return;
        response = await this.#submit(response.url, page, { decision });
      }
    }
    throw new Error('It does not end.');
  }

  #open(url: string): Promise<Response> {
    return this.#send(url, {});
  }

  #submit(url: string, page: string, values: Record<string, string> = {}): Promise<Response> {
    const hidden = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const chosen = page.matchAll(/<select name="([^"]*)"><option value="([^"]*)"/g);
    const fields = [...hidden, ...chosen].map(([, name = '', value = '']) => [name, value]);
    const body = new URLSearchParams({ ...Object.fromEntries(fields), ...values });
    const [, action = url] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
    const headers = { origin: new URL(url).origin };
    return this.#send(new URL(action, url).href, { method: 'POST', headers, body });
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}
