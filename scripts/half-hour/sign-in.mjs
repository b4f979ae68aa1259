/** Where a sign-in ends, now and in versions before the console. */
const ENDS = ['/console', '/account'];

/**
 * Opens a sign-in link and confirms, as a person in a browser.
 *
 * @param answers what the person fills in
 * @returns the text of the account page
 * @throws Error when the link does not lead there
 */
export async function signInBy(link, answers = {}) {
  const form = await fetch(link);
  const page = await form.text();
  if (!form.ok) throw new Error(`The link got ${form.status}.`);
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const cookies = new Map();
  keepCookies(form, cookies);
  const confirmed = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: headerOf(cookies), origin: new URL(link).origin },
    body: new URLSearchParams([
      ...fields.map(([, name, value]) => [name, value]),
      ...Object.entries(answers),
    ]),
  });
  keepCookies(confirmed, cookies);
  const end = new URL(confirmed.headers.get('location') ?? '/', link);
  const headers = { cookie: headerOf(cookies) };
  const shown = await fetch(end, { headers });
  if (ENDS.includes(end.pathname) && shown.ok) {
    return (await fetch(new URL('/account', link), { headers })).text();
  }
  throw new Error(
    `The link led to ${confirmed.status} ${end.pathname}, and that to ${shown.status}.`,
  );
}

function keepCookies(response, cookies) {
  for (const cookie of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
    cookies.set(name, value);
  }
}

function headerOf(cookies) {
  return [...cookies].map((pair) => pair.join('=')).join('; ');
}
