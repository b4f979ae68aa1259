import type { ListedPrompt, ListedResource } from '@gatehouse/sdk';
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Mono, Tag } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { itemsOf, type ListPage } from '../pages.ts';
import { Definition, textIn } from './definition.tsx';
import { promptsQuery, resourcesQuery } from './queries.ts';

/** The prompts, as a validation listed them last. */
export function Prompts({ id }: { id: string }) {
  return <Listing query={useInfiniteQuery(promptsQuery(id))} of="prompts" order="name" />;
}

/** The resources and templates, as a validation listed them last. */
export function Resources({ id }: { id: string }) {
  return <Listing query={useInfiniteQuery(resourcesQuery(id))} of="resources" order="URI" />;
}

type Listed = ListedPrompt | ListedResource;

interface ListingProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<Listed>>>;
  readonly of: string;
  /** What they are ordered by. */
  readonly order: string;
}

function Listing({ query, of, order }: ListingProps) {
  return (
    <Panel>
      <Load query={query} skeleton={<SkeletonRows />}>
        {(data) => {
          const items = itemsOf(data);
          if (items.length === 0) {
            const sentence = `No ${of} are known. They are kept by a validation that reaches the server.`;
            return <Empty sentence={sentence} />;
          }
          return (
            <>
              <ul>
                {items.map((item) => (
                  <Entry key={nameOf(item)} item={item} />
                ))}
              </ul>
              <MorePages
                query={query}
                loaded={items.length}
                of={of}
                note={`They are ordered by ${order}.`}
              />
            </>
          );
        }}
      </Load>
    </Panel>
  );
}

function nameOf(item: Listed): string {
  return 'uri' in item ? item.uri : item.name;
}

function Entry({ item }: { item: Listed }) {
  const name = nameOf(item);
  const { definition } = item;
  const title = textIn(definition, 'title') ?? ('uri' in item && textIn(definition, 'name'));
  const type = textIn(definition, 'mimeType');
  return (
    <li className="border-b border-line px-4 py-3 last:border-b-0">
      <Mono>
        <b className="font-medium">{name}</b>
      </Mono>{' '}
      {'kind' in item && item.kind === 'resource_template' && <Tag>Template</Tag>}{' '}
      {type !== undefined && <Tag>{type}</Tag>}
      {title && <p className="foreign max-w-[90ch]">{title}</p>}
      <p className="foreign line-clamp-2 max-w-[90ch] text-ink-2">
        {textIn(definition, 'description') ?? 'No description.'}
      </p>
      {definition !== null && <Definition name={name} definition={definition} />}
    </li>
  );
}
