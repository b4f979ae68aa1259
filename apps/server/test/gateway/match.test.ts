import { describe, expect, it } from 'vitest';
import { isGatewayTarget, routeKeyOf } from '../../src/gateway/match.ts';

const A = '0190a5c0-0000-7000-8000-00000000000a';
const B = '0190A5C0-0000-7000-8000-00000000000B';

describe('a gateway target', () => {
  it.each([
    `/mcp/${A}/${B}`,
    `/mcp/${B}/${A}?x=1`,
    `/mcp/${A}/${A}?`,
    `/mcp/${A}/${B}/`,
    `/mcp/${A}/${B}/mcp`,
    `/mcp/${A}/${B}/mcp/?x`,
  ])('is %s', (target) => {
    expect(isGatewayTarget(target)).toBe(true);
  });

  it.each([
    undefined,
    '/mcp',
    `/mcp/${A}`,
    `/mcp/${A}/${B}//`,
    `/mcp/${A}/${B}/x`,
    `/mcp/${A}/${B}/mcpx`,
    `/mcp/${A}/${B}/mcp/mcp`,
    `/mcp/${A}/${B}/sse`,
    `//mcp/${A}/${B}`,
    `/MCP/${A}/${B}`,
    `/%6dcp/${A}/${B}`,
    `/api/../mcp/${A}/${B}`,
    `http://localhost/mcp/${A}/${B}`,
    `/mcp/${A}/${B}#x`,
    `/mcp/${A}/not-a-uuid`,
  ])('is not %s', (target) => {
    expect(isGatewayTarget(target)).toBe(false);
  });

  it('names application and integration in lower case', () => {
    expect(routeKeyOf(`/mcp/${A}/${B}?x=1`)).toBe(`${A}/${B.toLowerCase()}`);
  });
});
