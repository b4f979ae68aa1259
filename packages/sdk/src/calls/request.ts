import type { UpdateOptions } from '../options/options.ts';
import type { PathParams } from '../transport/url.ts';
import type { Endpoints } from '../types/endpoints.ts';

/** `GET /grants` and so on. */
type Endpoint = keyof Endpoints;

/** The method of an endpoint that no method of the client covers. */
export type RequestMethod = Endpoint extends infer E
  ? E extends `${infer Method} ${string}`
    ? Method
    : never
  : never;

/** The paths that have such an endpoint for a method. */
export type RequestPath<Method extends RequestMethod> = Endpoint extends infer E
  ? E extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

type Of<Method extends string, Path extends string> = Endpoints[Extract<
  `${Method} ${Path}`,
  Endpoint
>];

/** What an endpoint returns. */
export type ResponseTo<Method extends string, Path extends string> = Of<Method, Path>['response'];

type ParamsOf<Path extends string> = keyof PathParams<Path> extends never
  ? { readonly params?: undefined }
  : { readonly params: PathParams<Path> };

type BodyOf<E> = E extends { body: infer Body }
  ? { readonly body: Body }
  : E extends { optionalBody: infer Body }
    ? { readonly body?: Body | undefined }
    : { readonly body?: undefined };

type QueryOf<E> = E extends { query: infer Query }
  ? { readonly query?: Query | undefined }
  : { readonly query?: undefined };

/** Path parameters, query, body and options of a request. */
export type RequestCall<Method extends string, Path extends string> = UpdateOptions &
  ParamsOf<Path> &
  BodyOf<Of<Method, Path>> &
  QueryOf<Of<Method, Path>>;

/** The call may be left out where an endpoint needs nothing. */
export type RequestArguments<Method extends string, Path extends string> =
  Record<never, never> extends RequestCall<Method, Path>
    ? [call?: RequestCall<Method, Path>]
    : [call: RequestCall<Method, Path>];
