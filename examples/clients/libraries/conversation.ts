import { createInterface } from 'node:readline';

/** The tools of an MCP server, through some client. */
export interface Tools {
  /** Descriptions by name. */
  list(): Promise<Record<string, string | undefined>>;
  /** Calls a tool without arguments. */
  call(name: string): Promise<unknown>;
}

/** Prints the tools, then calls each tool named on the input, until it ends. */
export async function converse({ list, call }: Tools): Promise<void> {
  await print(list());
  for await (const name of createInterface({ input: process.stdin })) await print(call(name));
  process.exit();
}

async function print(answer: Promise<unknown>): Promise<void> {
  console.log((await answer.catch(String)) ?? 'There is no such tool.');
  process.stdout.write('> ');
}
