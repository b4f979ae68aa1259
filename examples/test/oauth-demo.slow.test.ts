import { expect, it } from 'vitest';
import { oauthDemo } from '../src/oauth-demo.ts';
import { Person } from './person.ts';

it('calls a tool as the account that a person has connected at the provider', async () => {
  const lines: string[] = [];
  const demo = await oauthDemo((line) => lines.push(line));
  try {
    const person = new Person();
    await person.signIn(demo.signInLink);
    const [user] = await Promise.all([
      demo.callAfterConnecting(AbortSignal.timeout(30_000)),
      person.open(demo.connectUrl),
    ]);
    expect(user).toBe('ada');
    expect(lines.join('\n')).toContain('Registered the integration "Notes" by its URL');
  } finally {
    await demo.close();
  }
});
