import { createInterface } from 'node:readline';

/** The tools of an MCP server, through some client. */
export interface Tools {
  /** Descriptions by name. */
  list(): Promise<Record<string, string | undefined>>;
  call(name: string, args: Record<string, string>): Promise<unknown>;
}

/** Prints the tools, then calls each tool named on the input, with the arguments after it as JSON, until it ends. */
export async function converse({ list, call }: Tools): Promise<void> {
  await print(list());
  for await (const line of createInterface({ input: process.stdin })) {
    const [name = '', args = '{}'] = line.split(/ (.*)/);
    await print(call(name, JSON.parse(args)));
  }
  process.exit();
}

async function print(answer: Promise<unknown>): Promise<void> {
  console.log((await answer.catch(String)) ?? 'There is no such tool.');
  process.stdout.write('> ');
}
