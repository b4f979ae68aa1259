import { describe, expect, it } from 'vitest';
import { mcpTargetKindOf, pairKeyOf, resourceOfPath } from '../../src/identity/resource.ts';

const A = '0190a5c0-0000-7000-8000-00000000000a';
const B = '0190A5C0-0000-7000-8000-00000000000B';

describe('the target of an MCP request', () => {
  it.each([
    `/mcp/${A}/${B}`,
    `/mcp/${B}/${A}?x=1`,
    `/mcp/${A}/${A}?`,
    `/mcp/${A}/${B}/`,
    `/mcp/${A}/${B}/mcp`,
    `/mcp/${A}/${B}/mcp/?x`,
  ])('names a pair: %s', (target) => {
    expect(mcpTargetKindOf(target)).toBe('pair');
  });

  it.each([`/mcp/${A}`, `/mcp/${B}?x=1`, `/mcp/${A}/`, `/mcp/${A}/mcp`, `/mcp/${A}/mcp/?x`])(
    'names an application: %s',
    (target) => {
      expect(mcpTargetKindOf(target)).toBe('application');
    },
  );

  it.each([
    undefined,
    '/mcp',
    `/mcp/${A}/${B}//`,
    `/mcp/${A}/${B}/x`,
    `/mcp/${A}/${B}/mcpx`,
    `/mcp/${A}/${B}/mcp/mcp`,
    `/mcp/${A}/${B}/MCP`,
    `/mcp/${A}/Mcp`,
    `/mcp/${A}/${B}/sse`,
    `//mcp/${A}/${B}`,
    `/MCP/${A}/${B}`,
    `/MCP/${A}`,
    `/%6dcp/${A}/${B}`,
    `/api/../mcp/${A}/${B}`,
    `http://localhost/mcp/${A}/${B}`,
    `/mcp/${A}/${B}#x`,
    `/mcp/${A}/not-a-uuid`,
    `/mcp/${A}x`,
  ])('names neither: %s', (target) => {
    expect(mcpTargetKindOf(target)).toBeUndefined();
  });

  it('has one spelling of its words in metadata too', () => {
    expect(resourceOfPath(`/MCP/${A}/${B}`)).toBeUndefined();
    expect(resourceOfPath(`/mcp/${A}/${B}/MCP`)).toBeUndefined();
  });

  it('names application and integration in lower case', () => {
    expect(pairKeyOf(`/mcp/${A}/${B}?x=1`)).toBe(`${A}/${B.toLowerCase()}`);
    expect(resourceOfPath(`/mcp/${B}/${A}/mcp`)).toEqual({
      kind: 'pair',
      applicationId: B.toLowerCase(),
      integrationId: A,
    });
    expect(resourceOfPath(`/mcp/${B}/`)).toEqual({
      kind: 'application',
      applicationId: B.toLowerCase(),
    });
  });
});
