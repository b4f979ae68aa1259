/** What a model says next. */
export type Answer =
  | { readonly text: string }
  | {
      readonly tool: string;
      readonly namespace?: string;
      readonly args?: Readonly<Record<string, string>>;
    };

/** What a request tells the model. */
export interface Asked {
  /** The tools that it may call, as answers that call them. */
  readonly tools: readonly Extract<Answer, { tool: string }>[];
  /** What the last tool returned, if the request ends with that. */
  readonly result: string | undefined;
}

/** One of the APIs of models, as far as the programs use it. */
export interface Dialect {
  /** Of the paths of its requests. */
  readonly path: RegExp;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of others, of which a few fields are read
  read(body: any): Asked;
  /** The events of the answer. */
  write(answer: Answer): readonly object[];
}
