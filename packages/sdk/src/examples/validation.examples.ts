// biome-ignore-all lint/correctness/noUnusedVariables: the examples end where a program goes on.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has names of its own.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which hold every @example equal to its region here.
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
