import type { AuthorizationRequest } from './authorization-request.ts';
import type { Context } from './context.ts';

/**
 * A form that a browser and a test can submit: `request`, `sub` and `decision` (`approve` or `deny`) to
 * `<issuer>/consent`.
 */
export function consentPage(id: string, request: AuthorizationRequest, context: Context): string {
  const { client, scopes } = request;
  const name = escapeHtml(client.name ?? client.clientId);
  const users = context.settings.users.map(({ sub, name, email }) => {
    const selected = [sub, email].includes(request.loginHint ?? '') ? ' selected' : '';
    return `<option value="${escapeHtml(sub)}"${selected}>${escapeHtml(name)} (${escapeHtml(email)})</option>`;
  });
  return page(`Allow ${name}?`, [
    `<form method="post" action="${escapeHtml(`${context.issuer}/consent`)}">`,
    `<input type="hidden" name="request" value="${id}">`,
    `<label>Account <select name="sub">${users.join('')}</select></label>`,
    `<p>${name} may use: ${escapeHtml(scopes.join(', '))}</p>`,
    '<button name="decision" value="approve">Allow</button>',
    '<button name="decision" value="deny">Deny</button>',
    '</form>',
  ]);
}

/** A page for a person who cannot be sent back to the client. */
export function errorPage(sentence: string): string {
  return page('This cannot be continued', [`<p>${escapeHtml(sentence)}</p>`]);
}

function page(title: string, lines: readonly string[]): string {
  return [
    '<html lang="en"><head><meta charset="utf-8">',
    `<title>${title}</title></head><body><h1>${title}</h1>`,
    ...lines,
    '</body></html>',
  ].join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
