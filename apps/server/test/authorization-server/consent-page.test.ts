import { describe, expect, it } from 'vitest';
import { consentBody } from '../../src/authorization-server/consent/consent-page.ts';
import type { ConsentRequest } from '../../src/authorization-server/consent/consent-request.ts';
import { html } from '../../src/http/pages/html.ts';
import type { SignedInPerson } from '../../src/identity/browser-sessions.ts';
import { primaryButtonsIn } from '../support/browser.ts';

const person = { userId: 'u', role: 'member', name: 'Ada', email: 'ada@example.com' };
const application = { id: 'a', name: 'Tools of the team', ownerUserId: 'o' };

function pageFor(clientId: string, redirectUri: string, isRegistered = false): string {
  const client = {
    ...{ clientId, name: 'Editor', redirectUris: [redirectUri] },
    application: isRegistered ? application : undefined,
  };
  const request = {
    ...{ client, application, redirectUri, organizationName: 'Example', scopes: ['mcp'] },
    ...{ integrations: [], resources: [], mustAsk: false },
  } as unknown as ConsentRequest;
  return String(consentBody(request, person as SignedInPerson, html``, '/oauth/consent/u'));
}

const DOCUMENT = 'https://editor.example/client.json';

describe('consent for a client that nobody has verified', () => {
  it.each([
    ['registered itself, for a website', 'dyn_1', 'https://editor.example/callback'],
    ['registered itself, for this computer', 'dyn_1', 'http://127.0.0.1:5000/callback'],
    ['is described where it answers', DOCUMENT, 'https://editor.example/callback'],
    ['is described, for this computer', DOCUMENT, 'http://localhost:5000/callback'],
    ['is described, for an app', DOCUMENT, 'editor://callback'],
  ])('is calm where the client %s', (_what, clientId, redirectUri) => {
    const page = pageFor(clientId, redirectUri);
    expect(page).toContain('nobody has verified it');
    expect(page).toContain('class="notice"');
    expect(page).not.toContain('class="alert"');
  });

  it('warns where the answer goes to another website than the one that describes the client', () => {
    const page = pageFor(DOCUMENT, 'https://elsewhere.example/callback');
    expect(page).toContain('class="alert"');
    expect(page).toContain('another website');
  });

  it('names once where the answer goes', () => {
    const page = pageFor('dyn_1', 'https://app.example/callback');
    expect(page.match(/app\.example/g)).toHaveLength(1);
    expect(page).toContain('you go on to <strong>app.example</strong>');
  });

  it('has one primary button', () => {
    expect(primaryButtonsIn(pageFor('dyn_1', 'https://app.example/callback'))).toBe(1);
  });
});

it('consent for an application that was entered here has no notice', () => {
  expect(pageFor('a', 'https://app.example/callback', true)).not.toContain('class="notice"');
});
