import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Library, Program, ToolCall } from './clients.ts';
import { type Command, startConversation } from './conversation.ts';
import { type Folder, makeFolder } from './folder.ts';
import type { Eras, Person, Place, Surroundings } from './gatehouse.ts';
import { type MetLimit, meetLimit, meetLimitInModel } from './meet-limit.ts';
import type { Model } from './model/start-model.ts';
import { runProgram } from './run-program.ts';

/** How a client met the link, and what its next calls met. */
export interface Trial {
  readonly name: string;
  readonly place: string;
  /** Those of the upstream. */
  readonly eras: Eras;
  readonly version: string;
  /** What the client showed after the call that asks for the link. */
  readonly shown: string;
  readonly hasShownLink: boolean;
  /** What the running client showed when it was asked again; undefined if it ends with each answer. */
  readonly again: string | undefined;
  /** What it showed after a restart; undefined if it did not need one. */
  readonly restarted: string | undefined;
  readonly isConnected: boolean;
  /** What it showed after the call of the tool with the longest name; undefined where there is no such call. */
  readonly longest: string | undefined;
  /** Undefined if it is not connected. */
  readonly limit: MetLimit | undefined;
}

/** What every trial needs. */
export interface TrialDeps {
  readonly surroundings: Surroundings;
  readonly model: Model;
  /** The folder `examples/clients`. */
  readonly root: string;
  /** Follows the link in a browser. */
  readonly connect: (person: Person, link: string) => Promise<void>;
}

/** What the upstream's tool answers: the person at the provider. */
const ACCOUNT = /\bada\b/;

/** Whether this is the answer of the upstream. */
export function hasAnswered(shown: string | undefined): boolean {
  return ACCOUNT.test(shown ?? '');
}

/**
 * As an unconnected person, asks the client, follows the link that it shows, asks again, and asks while a limit is
 * used up.
 */
export async function tryClient(
  client: Library | Program,
  place: Place,
  deps: TrialDeps,
): Promise<Trial> {
  const { surroundings, root } = deps;
  const { eras, gatewayUrl, connectLink, calls } = place;
  const name = `${client.name} ${place.name}`.toLowerCase().replaceAll(/\W+/g, '-');
  const person = await surroundings.addPerson(name);
  const folder = await makeFolder(sourceOf(client, root), gatewayUrl);
  const open = () => openClient(client, person, folder, place, deps);
  try {
    const first = await open();
    const shown = await first.ask(calls.connect);
    const hasShownLink = shown.includes(connectLink);
    await deps.connect(person, connectLink);
    const callsBefore = place.countCalls();
    const again = 'file' in client ? await first.ask(calls.whoami) : undefined;
    let last = first;
    let restarted: string | undefined;
    if (!hasAnswered(again)) {
      await first.close();
      last = await open();
      restarted = await last.ask(calls.whoami);
    }
    const isConnected = hasAnswered(restarted ?? again) && place.countCalls() > callsBefore;
    const longest = isConnected && calls.longest ? await last.ask(calls.longest) : undefined;
    const meeting = { place, token: person.token, ask: () => last.ask(calls.whoami) };
    const meet = () =>
      'file' in client || client.hasModel === undefined
        ? meetLimit(meeting)
        : meetLimitInModel(meeting, deps.model);
    const limit = isConnected ? await meet() : undefined;
    await last.close();
    const version = await versionOf(client, root);
    const shownThen = { shown, hasShownLink, again, restarted, longest, limit };
    return { name: client.name, place: place.name, eras, version, ...shownThen, isConnected };
  } finally {
    await folder.remove();
  }
}

function sourceOf(client: Library | Program, root: string): string | undefined {
  return 'folder' in client ? join(root, 'programs', String(client.folder)) : undefined;
}

async function versionOf({ package: name }: Library | Program, root: string): Promise<string> {
  const manifest = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return JSON.parse(manifest).version;
}

interface Asked {
  ask(call: ToolCall): Promise<string>;
  close(): Promise<void>;
}

async function openClient(
  client: Library | Program,
  { token }: Person,
  { path }: Folder,
  { gatewayUrl: url }: Place,
  { model, root }: TrialDeps,
): Promise<Asked> {
  const setting = { url, token, model: model.origin };
  const env = {
    PATH: [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(':'),
    HOME: join(path, 'home'),
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
    MCP_USE_ANONYMIZED_TELEMETRY: 'false',
    GATEHOUSE_MCP_URL: url,
    GATEHOUSE_TOKEN: token,
  };
  if ('file' in client) {
    const args = [join(root, 'libraries', client.file), ...(client.args ?? [])];
    // `npx` finds the programs here.
    const command: Command = { command: process.execPath, args, cwd: root, env };
    const isAnswer = (written: string) => written.endsWith('> ');
    const conversation = await startConversation(command, { isAnswer, greets: true });
    return {
      ask: ({ tool, args: given = {} }) => conversation.ask(`${tool} ${JSON.stringify(given)}`),
      close: conversation.close,
    };
  }
  const ask = (call: ToolCall): Promise<string> => {
    model.wanted = call;
    const [command = '', ...args] = client.command(call, setting);
    return runProgram({ command, args, cwd: path, env: { ...env, ...client.env?.(setting) } });
  };
  return { ask, close: async () => undefined };
}
