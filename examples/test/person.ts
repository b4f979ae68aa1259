/** A person at a browser without scripts: they sign in by a link, and allow whatever is asked. */
export class Person {
  readonly #cookies = new Map<string, string>();

  async signIn(link: string): Promise<void> {
    await this.#submit(link, await (await this.#open(link)).text());
  }

  /** Follows a URL of Gatehouse to the end, pressing the buttons on the way. */
  async open(url: string): Promise<void> {
    let response = await this.#open(url);
    for (let step = 0; step < 10; step += 1) {
      const location = response.headers.get('location');
      if (location !== null) {
        response = await this.#open(new URL(location, response.url).href);
      } else {
        const page = await response.text();
        if (!page.includes('name="decision"')) return;
        response = await this.#submit(response.url, page, { decision: 'allow' });
      }
    }
    throw new Error('It does not end.');
  }

  #open(url: string): Promise<Response> {
    return this.#send(url, {});
  }

  #submit(url: string, page: string, values: Record<string, string> = {}): Promise<Response> {
    const hidden = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const fields = [...hidden].map(([, name = '', value = '']) => [name, value]);
    const body = new URLSearchParams({ ...Object.fromEntries(fields), ...values });
    return this.#send(url, { method: 'POST', headers: { origin: new URL(url).origin }, body });
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
