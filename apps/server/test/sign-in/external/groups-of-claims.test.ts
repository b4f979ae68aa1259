import { expect, it } from 'vitest';
import { groupsOfClaims } from '../../../src/sign-in/external/person-of-claims.ts';

const named = (...externalIds: string[]) => ({ isLeftOut: false, externalIds });

it.each([
  [{ groups: ['a', 'b', 'a'] }, 'groups', named('a', 'b')],
  [{ groups: 'a' }, 'groups', named('a')],
  [{ groups: ' A ' }, 'groups', named(' A ')],
  [{ groups: [] }, 'groups', named()],
  [{}, 'groups', named()],
  [{ groups: null }, 'groups', named()],
  [{ groups: { a: true } }, 'groups', named()],
  [{ groups: ['a', 7, null, '', ['b']] }, 'groups', named('a')],
  [{ groups: ['x'.repeat(1001)] }, 'groups', named()],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', named('a')],
  [{ realm_access: ['roles'] }, 'realm_access.roles', named()],
  [{ 'https://example.com/groups': ['a'] }, 'https://example.com/groups', named('a')],
  [{ 'a.b': ['whole'], a: { b: ['path'] } }, 'a.b', named('whole')],
  [{}, 'constructor.name', named()],
  [{}, '__proto__', named()],
])('the claims %o have at %s the groups %o', (claims, name, expected) => {
  expect(groupsOfClaims(claims, name)).toEqual(expected);
});

it('says that Entra ID left the groups out, which is not the same as no groups', () => {
  const overage = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://graph.windows.net/t/users/u/getMemberObjects' } },
  };
  expect(groupsOfClaims(overage, 'groups')).toEqual({ isLeftOut: true });
  expect(groupsOfClaims({ ...overage, groups: ['a'] }, 'groups')).toEqual(named('a'));
  expect(groupsOfClaims({ ...overage }, 'roles')).toEqual(named());
});
