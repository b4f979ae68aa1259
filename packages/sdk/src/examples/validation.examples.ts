// biome-ignore-all lint/correctness/noUnusedVariables: the examples do not use their results.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import { contract } from '@gatehouse/contract';
import { Gatehouse } from '@gatehouse/sdk';
import { responseValidator } from '@gatehouse/sdk/validation';

export function validation(): void {
  {
    //#region responseValidator
    const gatehouse = new Gatehouse({ validateResponse: responseValidator(contract) });
    //#endregion
  }
}
