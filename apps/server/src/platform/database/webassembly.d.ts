/** The part of WebAssembly used here; neither ES2023 nor @types/node 20 declares it. */
declare namespace WebAssembly {
  type ModuleImports = Record<string, unknown>;
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function instantiate(
    bytes: Uint8Array,
    imports: Record<string, ModuleImports>,
  ): Promise<{ readonly instance: Instance }>;
}
