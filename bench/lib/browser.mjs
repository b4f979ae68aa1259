/** A browser without scripts: it keeps cookies, follows redirects, and submits the first form of a page. */
export class Browser {
  #origin;
  #cookies = new Map();
  /** Of the page shown. */
  #url;

  constructor(origin) {
    this.#origin = origin;
  }

  /** @returns the page at which the redirects end. */
  async open(target) {
    return this.#send(new URL(target, this.#origin), {});
  }

  async submit(page, values) {
    const [, action = this.#url.href] = /<form[^>]* action="([^"]*)"/.exec(page) ?? [];
    const hidden = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const fields = [...hidden].map(([, name, value]) => [name, value]);
    const body = new URLSearchParams({ ...Object.fromEntries(fields), ...values });
    const url = new URL(action.replaceAll('&amp;', '&'), this.#origin);
    return this.#send(url, { method: 'POST', headers: { Origin: this.#origin }, body });
  }

  async #send(url, init) {
    const Cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(url.origin === this.#origin && { Cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (url.origin === this.#origin) this.#keep(response.headers.getSetCookie());
    const location = response.headers.get('location');
    if (location !== null) return this.#send(new URL(location, url), {});
    const page = await response.text();
    this.#url = url;
    if (response.status !== 200) throw new Error(`${url.pathname}: ${response.status} ${page}`);
    return page;
  }

  #keep(setCookies) {
    for (const setCookie of setCookies) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(setCookie);
      if (value === '' || /max-age=0|1970/i.test(setCookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
