import { Copy } from '../../components/copy.tsx';
import { Mono } from '../../components/pairs.tsx';

/** What a provider asks for when a client is made there. Each integration has another one. */
export function RedirectUri({ uri }: { uri: string }) {
  return (
    <span className="flex flex-wrap items-start gap-2">
      <span className="min-w-0 flex-1 basis-40">
        <Mono>{uri}</Mono>
      </span>
      <Copy text={uri} name="the redirect URI" />
    </span>
  );
}
