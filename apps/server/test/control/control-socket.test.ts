import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandError } from '../../src/control/command-error.ts';
import { type ControlSocketOptions, openControlSocket } from '../../src/control/control-socket.ts';
import { sendRequest } from '../../src/control/send-request.ts';
import { createLogger } from '../../src/platform/logging.ts';

const reply = { url: 'http://127.0.0.1/x', expiresAt: '2030-01-01T00:00:00.000Z' };
const input = { email: 'owner@localhost' };

const send = (dataDir: string) => sendRequest(dataDir, 'sign-in-link', input);

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-control-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function open(dataDir: string, run: ControlSocketOptions['run'] = async () => reply) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLogger('info', destination);
  const socket = await openControlSocket({ dataDir, log, run });
  onTestFinished(() => socket.close());
  return { socket, lines };
}

/** Sends bytes as they are. @returns what comes back */
function sendRaw(path: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.end(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

describe('the control socket', () => {
  it('answers a command, and only its owner may connect', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const given: unknown[] = [];
    await open(dataDir, async (...request: unknown[]) => {
      given.push(request);
      return reply;
    });
    expect(await send(dataDir)).toEqual(reply);
    expect(given).toEqual([['sign-in-link', input]]);
    expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it('replaces what a killed server has left', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'control.sock'), '');
    await open(dataDir);
    expect(await send(dataDir)).toEqual(reply);
  });

  it('is gone after the server, unless another one has taken its name', async () => {
    const dataDir = temporaryDirectory();
    const first = await open(dataDir);
    const second = await open(dataDir, async () => ({ ...reply, url: 'second' }));
    await first.socket.close();
    expect(await send(dataDir)).toMatchObject({ url: 'second' });
    await second.socket.close();
    expect(await send(dataDir)).toBeUndefined();
    expect(() => statSync(join(dataDir, 'control.sock'))).toThrow('ENOENT');
  });

  it('survives input that is not a command', async () => {
    const dataDir = temporaryDirectory();
    const { lines: logged } = await open(dataDir);
    const path = join(dataDir, 'control.sock');
    const lines = [
      '{"command":"sign-in-link","email":"owner@localhost"}',
      '{"protocol":1,"request":"sign-in-link","input":{"email":"owner@localhost"}}',
      '{"protocol":2,"request":"toString","input":{}}',
    ];
    for (const line of lines) {
      expect(await sendRaw(path, `${line}\n`)).toContain('another version of Gatehouse');
    }
    expect(await sendRaw(path, 'no JSON\n')).toBe('');
    expect(await sendRaw(path, '')).toBe('');
    expect(await sendRaw(path, 'x'.repeat(100_000))).toBe('');
    expect(await send(dataDir)).toEqual(reply);
    expect(logged.join('')).not.toContain('no JSON');
  });

  it('says that a command failed, and logs it', async () => {
    const dataDir = temporaryDirectory();
    const { lines } = await open(dataDir, () => Promise.reject(new Error('secret')));
    await expect(send(dataDir)).rejects.toThrow('did not answer as expected');
    expect(lines.join('')).toContain('a command failed');
    expect(lines.join('')).not.toContain('secret');
  });

  it('passes on why a request was refused, with its exit code', async () => {
    const dataDir = temporaryDirectory();
    await open(dataDir, () => Promise.reject(new CommandError('No member has this email.', 1)));
    await expect(send(dataDir)).rejects.toMatchObject({
      message: 'No member has this email.',
      exitCode: 1,
    });
  });

  it('is there in a directory with a path of 78 bytes, as the page of the settings says', async () => {
    const longest = join(temporaryDirectory(), 'd').padEnd(78, 'd');
    await open(longest);
    expect(await send(longest)).toEqual(reply);
    expect((await open(`${longest}d`)).lines.join('')).toContain('too long for a socket');
    const page = readFileSync(
      new URL('../../../../docs/run/configuration.md', import.meta.url),
      'utf8',
    );
    expect(page).toContain('If the path of the directory is longer than 78 bytes');
  });

  it('is left out, with a line in the log, where its path is too long or cannot be made', async () => {
    const long = join(temporaryDirectory(), 'd'.repeat(100));
    expect((await open(long)).lines.join('')).toContain('too long for a socket');
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect((await open(file)).lines.join('')).toContain('no socket can be made');
  });
});
