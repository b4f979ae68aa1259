// biome-ignore-all lint/correctness/noUnusedVariables: the examples end where a program goes on.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has names of its own.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which hold every @example equal to its region here.
import {
  type AttemptEvent,
  Gatehouse,
  type Hooks,
  type RequestEvent,
  type ResponseEvent,
  type RetryEvent,
} from '@gatehouse/sdk';

export function hooks(): void {
  {
    //#region Hooks
    const hooks: Hooks = {
      onRequest: ({ headers }) => headers.set('traceparent', '00-0af7651916cd43dd-b7ad6b71-01'),
      onResponse: ({ route, status, duration }) => console.log(route, status, duration),
      onRetry: ({ error, delay }) => console.warn(error.code, 'again in', delay, 'ms'),
    };
    const gatehouse = new Gatehouse(hooks);
    //#endregion
  }
  {
    //#region AttemptEvent
    const labels = ({ method, route }: AttemptEvent) => ({ method, route });
    const gatehouse = new Gatehouse({ onResponse: (event) => console.log(labels(event)) });
    //#endregion
  }
  {
    //#region RequestEvent
    const onRequest = ({ headers, attempt }: RequestEvent) =>
      headers.set('x-attempt', `${attempt}`);
    const gatehouse = new Gatehouse({ onRequest });
    //#endregion
  }
  {
    //#region ResponseEvent
    const onResponse = ({ headers }: ResponseEvent) => console.log(headers.get('ratelimit'));
    const gatehouse = new Gatehouse({ onResponse });
    //#endregion
  }
  {
    //#region RetryEvent
    const onRetry = ({ route, error }: RetryEvent) => console.warn(route, error.message);
    const gatehouse = new Gatehouse({ onRetry });
    //#endregion
  }
}
