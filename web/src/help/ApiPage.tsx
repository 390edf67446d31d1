/** The API documentation: guides, and every endpoint with its fields and examples, read from the OpenAPI document. */
import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { OPENAPI_LINK } from '../paths.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { WordMark } from '../ui/layout/WordMark.tsx';
import styles from './docs/Docs.module.css';
import { DocsNav } from './docs/DocsNav.tsx';
import { GUIDES } from './docs/Guides.tsx';
import { OperationView } from './docs/OperationView.tsx';
import { type Document, type Module, resolveReferences, toModules } from './docs/openapi.ts';

async function load({ signal }: { signal: AbortSignal }): Promise<Module[]> {
  const response = await fetch(OPENAPI_LINK, { signal });
  if (!response.ok) throw new Error(`The API description could not be loaded (${response.status}).`);
  return toModules(resolveReferences((await response.json()) as Document));
}

const NO_MODULES: Module[] = [];

export default function ApiPage() {
  const { section = GUIDES[0]!.id, q = '' } = useSearch({ strict: false }) as { section?: string; q?: string };
  const navigate = useNavigate();
  const query = useQuery({ queryKey: ['openapi'], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  const modules = query.data ?? NO_MODULES;
  const search = (text: string) =>
    void navigate({
      to: '.',
      search: { ...(section === GUIDES[0]!.id ? {} : { section }), ...(text ? { q: text } : {}) } as never,
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={styles.root}>
      <header className={styles.head}>
        <Link to="/" aria-label="Parley, home" className={styles.brand}>
          <WordMark size={26} />
        </Link>
      </header>
      <DocsNav modules={modules} section={section} search={q} onSearch={search} />
      <main className={styles.main}>
        <Title order={1}>Documentation</Title>
        <p className={styles.dim}>Everything the dashboard does is available in the public API.</p>
        <Section id={section} modules={modules} isLoading={query.isPending} />
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

function Section({ id, modules, isLoading }: { id: string; modules: readonly Module[]; isLoading: boolean }) {
  const guide = GUIDES.find((one) => one.id === id);
  const module = modules.find((one) => one.id === id);
  useScrollToHash(module);
  if (guide)
    return (
      <>
        <h2 className={styles.sectionTitle}>{guide.title}</h2>
        <div className={styles.prose}>
          <guide.body />
        </div>
      </>
    );
  if (isLoading) return <SkeletonLines lines={8} />;
  if (!module) return modules.length > 0 && <p>There is no section “{id}”. Select one from the contents.</p>;
  return (
    <>
      <h2 className={styles.sectionTitle}>{module.title}</h2>
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
