/**
 * The API documentation: guides, and every endpoint with its fields and examples. The server provides the guides as
 * Markdown and the endpoints as an OpenAPI document.
 */

import { Title } from '@mantine/core';
import { GUIDES, sectionPath } from '@parley/contract/docs/guides.ts';
import { type Document, type Module, resolveReferences, toModules } from '@parley/contract/docs/openapi.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { OPENAPI_LINK } from '../paths.ts';
import { brandName } from '../ui/brand.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { WordMark } from '../ui/layout/WordMark.tsx';
import { CopyMarkdown } from './docs/CopyMarkdown.tsx';
import styles from './docs/Docs.module.css';
import { DocsNav } from './docs/DocsNav.tsx';
import { Markdown } from './docs/Markdown.tsx';
import { OperationView } from './docs/OperationView.tsx';

const read = async (path: string, signal: AbortSignal): Promise<Response> => {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`The server responded with status ${response.status}.`);
  return response;
};
const loadModules = async ({ signal }: { signal: AbortSignal }): Promise<Module[]> =>
  toModules(resolveReferences((await (await read(OPENAPI_LINK, signal)).json()) as Document));

const NO_MODULES: Module[] = [];
const FIRST = GUIDES[0]!.id;
const ONCE = { staleTime: Number.POSITIVE_INFINITY };

export default function ApiPage() {
  const { section = FIRST, q = '' } = useSearch({ strict: false }) as { section?: string; q?: string };
  const navigate = useNavigate();
  const query = useQuery({ queryKey: ['openapi'], queryFn: loadModules, ...ONCE });
  const modules = query.data ?? NO_MODULES;
  const guide = GUIDES.find(({ id }) => id === section);
  const search = (text: string) =>
    void navigate({
      to: '.',
      search: { ...(section === FIRST ? {} : { section }), ...(text ? { q: text } : {}) } as never,
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={styles.root}>
      <header className={styles.head}>
        <Link to="/" aria-label={`${brandName()}, home`} className={styles.brand}>
          <WordMark size={26} />
        </Link>
      </header>
      <DocsNav modules={modules} section={section} search={q} onSearch={search} />
      <main className={styles.main}>
        <Title order={1}>Documentation</Title>
        <p className={styles.dim}>Everything the dashboard does is available in the public API.</p>
        {guide ? (
          <GuideSection id={guide.id} title={guide.title} />
        ) : (
          <ModuleSection id={section} modules={modules} isLoading={query.isPending} />
        )}
        {query.error && (
          <ErrorState
            title="The endpoints could not be loaded"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          >
            {query.error.message}
          </ErrorState>
        )}
      </main>
    </div>
  );
}

function SectionHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className={styles.sectionHead}>
      <div>
        <h2 className={styles.sectionTitle}>{title}</h2>
        {children}
      </div>
      <CopyMarkdown id={id} />
    </div>
  );
}

function GuideSection({ id, title }: { id: string; title: string }) {
  const query = useQuery({
    queryKey: ['guide', id],
    queryFn: async ({ signal }) => (await read(sectionPath(id), signal)).text(),
    ...ONCE,
  });
  return (
    <>
      <SectionHead id={id} title={title} />
      {query.isPending && <Loading />}
      {query.data !== undefined && (
        <div className={styles.prose}>
          <Markdown text={query.data} />
        </div>
      )}
      {query.error && (
        <ErrorState
          title="The guide could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      )}
    </>
  );
}

interface ModuleSectionProps {
  id: string;
  modules: readonly Module[];
  isLoading: boolean;
}

function ModuleSection({ id, modules, isLoading }: ModuleSectionProps) {
  const module = modules.find((one) => one.id === id);
  useScrollToHash(module);
  if (isLoading) return <Loading />;
  if (!module) return modules.length > 0 && <p>There is no section “{id}”. Select one from the contents.</p>;
  return (
    <>
      <SectionHead id={id} title={module.title}>
        {module.text && <p className={styles.dim}>{module.text}</p>}
      </SectionHead>
      {module.operations.map((operation) => (
        <OperationView key={operation.operationId} operation={operation} />
      ))}
    </>
  );
}

/** The router scrolls before the endpoints are loaded. */
function useScrollToHash(module: Module | undefined): void {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (module && hash) document.getElementById(hash)?.scrollIntoView();
  }, [module, hash]);
}

const Loading = () => (
  <div className={styles.loading}>
    <SkeletonLines lines={8} />
  </div>
);
