// biome-ignore-all lint/correctness/noUnusedVariables: the examples do not use their results.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import type { Gatehouse, GroupMembers, Groups, Members, Tokens } from '@gatehouse/sdk';

export async function tokens(gatehouse: Gatehouse, id: string): Promise<void> {
  const store = async (secret: string) => console.log(secret.length);
  {
    //#region Tokens
    const unused = async (tokens: Tokens) =>
      (await tokens.list()).items.filter(({ lastUsedAt }) => lastUsedAt === null);
    console.log(await unused(gatehouse.tokens));
    //#endregion
  }
  {
    //#region Tokens.create
    const { secret } = await gatehouse.tokens.create({ name: 'CI', scopes: ['management:read'] });
    await store(secret);
    //#endregion
  }
  {
    //#region Tokens.list
    for await (const { name, lastUsedAt } of gatehouse.tokens.list()) console.log(name, lastUsedAt);
    //#endregion
  }
  {
    //#region Tokens.revoke
    await gatehouse.tokens.revoke(id);
    //#endregion
  }
}

export async function members(gatehouse: Gatehouse, id: string): Promise<void> {
  const send = async (email: string, url: string) => console.log(email, url.length);
  {
    //#region Members
    const owners = async (members: Members) =>
      (await members.list().toArray({ max: 1000 })).filter(({ role }) => role === 'owner');
    console.log(await owners(gatehouse.members));
    //#endregion
  }
  {
    //#region Members.create
    const { member, invitationUrl } = await gatehouse.members.create({
      email: 'ada@example.com',
      name: 'Ada',
      role: 'member',
    });
    await send(member.email, invitationUrl);
    //#endregion
  }
  {
    //#region Members.list
    for await (const { name, role } of gatehouse.members.list()) console.log(name, role);
    //#endregion
  }
  {
    //#region Members.update
    await gatehouse.members.update(id, { role: 'admin' });
    //#endregion
  }
  {
    //#region Members.remove
    const { applications } = await gatehouse.members.remove(id);
    for (const { id } of applications) await gatehouse.applications.rotateSecret(id);
    //#endregion
  }
  {
    //#region Members.revokeAccess
    const { revoked } = await gatehouse.members.revokeAccess(id);
    console.log(`${revoked.tokens} tokens and ${revoked.streams} streams ended.`);
    //#endregion
  }
}

export async function groups(gatehouse: Gatehouse, id: string, memberId: string): Promise<void> {
  {
    //#region Groups
    const names = async (groups: Groups) =>
      (await groups.list().toArray({ max: 1000 })).map(({ name }) => name);
    console.log(await names(gatehouse.groups));
    //#endregion
  }
  {
    //#region Groups.create
    const { group } = await gatehouse.groups.create({ name: 'Support' });
    await gatehouse.groups.members.add(group.id, memberId);
    //#endregion
  }
  {
    //#region Groups.list
    for await (const { name } of gatehouse.groups.list()) console.log(name);
    //#endregion
  }
  {
    //#region Groups.get
    const { group } = await gatehouse.groups.get(id);
    console.log(group.name);
    //#endregion
  }
  {
    //#region Groups.update
    await gatehouse.groups.update(id, { name: 'Customer support' });
    //#endregion
  }
  {
    //#region Groups.delete
    await gatehouse.groups.delete(id);
    //#endregion
  }
}

export async function groupMembers(
  gatehouse: Gatehouse,
  id: string,
  memberId: string,
): Promise<void> {
  {
    //#region GroupMembers
    const count = async (members: GroupMembers) =>
      (await members.list(id).toArray({ max: 10_000 })).length;
    console.log(await count(gatehouse.groups.members));
    //#endregion
  }
  {
    //#region GroupMembers.list
    for await (const { name } of gatehouse.groups.members.list(id)) console.log(name);
    //#endregion
  }
  {
    //#region GroupMembers.add
    await gatehouse.groups.members.add(id, memberId);
    //#endregion
  }
  {
    //#region GroupMembers.remove
    await gatehouse.groups.members.remove(id, memberId);
    //#endregion
  }
}
