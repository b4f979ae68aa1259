import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  Browser,
  linkFor,
  primaryButtonsIn,
  signedInBrowser,
  type TestPerson,
} from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let owner: TestPerson;
const answers = new Map<string, Answer>();

beforeAll(async () => {
  owner = await server.store.db.user.findFirstOrThrow({ where: { role: 'owner' } });
  const browser = new Browser(server);
  const reset = await linkFor(server.store, owner, 'reset');
  answers.set('sign-in', await browser.open('/sign-in?return_to=/x'));
  answers.set('wrong password', await browser.signIn('nobody@localhost', 'wrong'));
  answers.set('sign-in link', await browser.open(await linkFor(server.store, owner, 'sign_in')));
  answers.set('choose a password', await browser.open(reset));
  answers.set('refused password', await browser.submit(reset, { password: 'x', repeated: 'y' }));
  answers.set('unknown link', await browser.open('/sign-in/link/x'));
  answers.set('forged form', await browser.post('/sign-in', {}));
  answers.set('nothing there', await browser.open('/sign-in/nothing'));
  answers.set('wrong method', await browser.send('DELETE', '/account'));
  const signedIn = await signedInBrowser(server, owner);
  answers.set('account', await signedIn.open('/account'));
  answers.set('signed out', await signedIn.submit('/account', {}, { action: '/sign-out' }));
});

const pages = [
  ...['sign-in', 'wrong password', 'sign-in link', 'choose a password', 'refused password'],
  ...['unknown link', 'forged form', 'nothing there', 'wrong method', 'account', 'signed out'],
];

describe.each(pages)('the page "%s"', (name) => {
  const answer = (): Answer => answers.get(name) as Answer;

  it('has no script, no foreign part, and may not be framed', () => {
    const { headers, text } = answer();
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(text) ?? [];
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self' data:; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(text).not.toMatch(
      /<script|<iframe|<img|javascript:|\son\w+=|\sstyle=|https?:\/\/(?!127)/i,
    );
  });

  it('is never cached, and its address is never sent to another site', () => {
    const { headers } = answer();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('is accessible: language, title, one heading, labels, something to do next', () => {
    const { text } = answer();
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<title>[^<]+ – Gatehouse<\/title>/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).toMatch(/<main /);
    expect(text).toMatch(/<button|class="button/);
    expect(primaryButtonsIn(text)).toBeLessThanOrEqual(1);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const inputs = [...text.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id);
    for (const id of inputs) expect(text).toContain(`<label for="${id}">`);
    const described = [...text.matchAll(/aria-describedby="([^"]+)"/g)];
    for (const id of described.flatMap(([, names = '']) => names.split(' '))) {
      expect(ids).toContain(id);
    }
  });
});

it('errors on these paths are pages that repeat nothing of the request', async () => {
  const secret = 'S'.repeat(43);
  const answer = await new Browser(server).post(`/sign-in/link/${secret}`, {});
  expect(answer.status).toBe(403);
  expect(answer.text).not.toContain(secret);
  expect([...answers].map(([name, { status }]) => [name, status])).toEqual([
    ['sign-in', 200],
    ['wrong password', 403],
    ['sign-in link', 200],
    ['choose a password', 200],
    ['refused password', 400],
    ['unknown link', 404],
    ['forged form', 403],
    ['nothing there', 404],
    ['wrong method', 405],
    ['account', 200],
    ['signed out', 200],
  ]);
});

it('the account leads to the console first, and signing out is the last thing on it', () => {
  const { text } = answers.get('account') as Answer;
  const labels = [...text.matchAll(/<(?:button|a class="button)[^>]*>([^<]*)</g)];
  expect(labels.map(([, label]) => label)).toEqual([
    'Open the console',
    'Save password',
    'Sign out',
    'Sign out in every browser',
  ]);
  expect(text).toContain('<a class="button" href="/console">');
});
