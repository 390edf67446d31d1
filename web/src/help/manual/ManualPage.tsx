/** The user manual: its contents with the search, and one page, or an overview of all pages. */

import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionContext } from '../../kernel/session/session.tsx';
import { brandName } from '../../ui/brand.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { WordMark } from '../../ui/layout/WordMark.tsx';
import docs from '../docs/Docs.module.css';
import { inline, Markdown, type MarkdownParts } from '../docs/Markdown.tsx';
import styles from './Manual.module.css';
import { ManualNav } from './ManualNav.tsx';
import { headingAnchor, loadManual, type Manual, type ManualPage as Page } from './manual.ts';
import { manualPath } from './parts.ts';

export default function ManualPage() {
  const { page: id } = useParams({ strict: false }) as { page?: string };
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const { state } = useSessionContext();
  const isOperator = state.kind === 'in' && state.session.admin;
  const query = useQuery({
    queryKey: ['manual', isOperator],
    queryFn: () => loadManual(isOperator),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const manual = query.data;
  const page = id ? manual?.pages.get(id) : undefined;
  useScrollToHash(page);
  return (
    <div className={docs.root}>
      <header className={docs.head}>
        <Link to="/" aria-label={`${brandName()}, home`} className={docs.brand}>
          <WordMark size={26} />
        </Link>
      </header>
      {manual && <ManualNav manual={manual} page={page} search={q} />}
      <main className={docs.main}>
        {query.isPending && <SkeletonLines lines={10} />}
        {manual && !id && <Overview manual={manual} />}
        {page && manual && <PageText page={page} manual={manual} />}
        {manual && id && !page && (
          <>
            <Title order={1}>Page not found</Title>
            <p className={docs.dim}>The manual has no page “{id}”. Select one from the contents.</p>
          </>
        )}
        {query.error && (
          <ErrorState
            title="The manual could not be loaded"
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

function Overview({ manual }: { manual: Manual }) {
  return (
    <>
      <Title order={1}>User manual</Title>
      <p className={docs.dim}>How to do each task in {brandName()}, step by step.</p>
      {manual.groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2 className={docs.sectionTitle}>{group.title}</h2>
          <ul className={styles.cards}>
            {group.pages.map((id) => {
              const page = manual.pages.get(id);
              return (
                page && (
                  <li key={id}>
                    <Link to={manualPath(id)} className={styles.card}>
                      <span className={styles.cardTitle}>{page.title}</span>
                      <span className={styles.cardText}>{page.summary}</span>
                    </Link>
                  </li>
                )
              );
            })}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Links between pages of the manual are links to files in docs/manual, such as `audiences.md#import`. */
function toAddress(href: string, from: string): { to: string; hash?: string } | null {
  const match = /^((?:\.\.\/|operators\/)?[\w-]*)(?:\.md)?(?:#([\w-]+))?$/.exec(href);
  if (!match || /^\w+:/.test(href)) return null;
  const [, file = '', hash] = match;
  const isOperators = from.startsWith('operators-') && !file.startsWith('../');
  const name = file.replace('../', '').replace('operators/', 'operators-');
  const id = name === '' ? from : isOperators ? `operators-${name}` : name;
  return { to: manualPath(id), ...(hash ? { hash } : {}) };
}

const manualParts = (from: string): MarkdownParts => ({
  link: (label, href) => {
    const target = toAddress(href, from);
    return target ? <Link {...target}>{label}</Link> : <a href={href}>{label}</a>;
  },
  heading: (title, level) => {
    const id = headingAnchor(title);
    const Heading = level > 2 ? 'h3' : 'h2';
    return (
      <Heading id={id} className={level > 2 ? styles.subheading : styles.heading}>
        {inline(title)}
        <Link to={manualPath(from)} hash={id} className={styles.anchor} aria-label={`Link to “${title}”`}>
          #
        </Link>
      </Heading>
    );
  },
});

function PageText({ page, manual }: { page: Page; manual: Manual }) {
  const ids = manual.groups.flatMap((group) => group.pages);
  const at = ids.indexOf(page.id);
  const [previous, next] = [ids[at - 1], ids[at + 1]].map((id) => (id ? manual.pages.get(id) : undefined));
  return (
    <article className={styles.article}>
      <Title order={1}>{page.title}</Title>
      <div className={`${docs.prose} ${styles.text}`}>
        <Markdown text={page.markdown} parts={manualParts(page.id)} />
      </div>
      <nav className={styles.turn} aria-label="Next pages">
        {previous ? <Link to={manualPath(previous.id)}>← {previous.title}</Link> : <span />}
        {next && <Link to={manualPath(next.id)}>{next.title} →</Link>}
      </nav>
    </article>
  );
}

/** The router scrolls before the text is loaded. */
function useScrollToHash(page: Page | undefined): void {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (page && hash) document.getElementById(hash)?.scrollIntoView();
  }, [page, hash]);
}
