import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openControlSocket } from '../../src/control/control-socket.ts';
import type { Command, Reply } from '../../src/control/protocol.ts';
import { sendCommand } from '../../src/control/send-command.ts';
import { createLogger } from '../../src/platform/logging.ts';

const reply: Reply = { url: 'http://127.0.0.1/x', expiresAt: '2030-01-01T00:00:00.000Z' };
const command: Command = { command: 'sign-in-link', email: 'owner@localhost' };

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-control-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function open(dataDir: string, run = async (): Promise<Reply> => reply) {
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
    const given: Command[] = [];
    await open(dataDir, async (...args: unknown[]) => {
      given.push(args[0] as Command);
      return reply;
    });
    expect(await sendCommand(dataDir, command)).toEqual(reply);
    expect(given).toEqual([command]);
    expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it('replaces what a killed server has left', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'control.sock'), '');
    await open(dataDir);
    expect(await sendCommand(dataDir, command)).toEqual(reply);
  });

  it('is gone after the server, unless another one has taken its name', async () => {
    const dataDir = temporaryDirectory();
    const first = await open(dataDir);
    const second = await open(dataDir, async () => ({ error: 'second' }));
    await first.socket.close();
    expect(await sendCommand(dataDir, command)).toEqual({ error: 'second' });
    await second.socket.close();
    const refused = sendCommand(dataDir, command);
    await expect(refused).rejects.toMatchObject({ name: 'CommandError' });
    await expect(refused).rejects.toThrow('No server listens at');
    expect(() => statSync(join(dataDir, 'control.sock'))).toThrow('ENOENT');
  });

  it('survives what is no command', async () => {
    const dataDir = temporaryDirectory();
    const { lines } = await open(dataDir);
    const path = join(dataDir, 'control.sock');
    expect(await sendRaw(path, '{"command":"other"}\n')).toContain('does not know this command');
    expect(await sendRaw(path, 'no JSON\n')).toBe('');
    expect(await sendRaw(path, '')).toBe('');
    expect(await sendRaw(path, 'x'.repeat(100_000))).toBe('');
    expect(await sendCommand(dataDir, command)).toEqual(reply);
    expect(lines.join('')).not.toContain('no JSON');
  });

  it('says that a command failed, and tells the log', async () => {
    const dataDir = temporaryDirectory();
    const { lines } = await open(dataDir, () => Promise.reject(new Error('secret')));
    await expect(sendCommand(dataDir, command)).rejects.toThrow('The server did not answer.');
    expect(lines.join('')).toContain('a command failed');
    expect(lines.join('')).not.toContain('secret');
  });

  it('is left out, which the log says, where its path is too long or cannot be made', async () => {
    const long = join(temporaryDirectory(), 'd'.repeat(100));
    expect((await open(long)).lines.join('')).toContain('too long for a socket');
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    expect((await open(file)).lines.join('')).toContain('no socket can be made');
  });
});
