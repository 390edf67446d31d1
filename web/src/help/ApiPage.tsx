/** The API as people read it: every endpoint by its part, from the same document that programs get. */
import { useQuery } from '@tanstack/react-query';
import { OPENAPI_LINK } from '../paths.ts';
import styles from './ApiPage.module.css';
import { Prose, type Section } from './Prose.tsx';

interface Operation {
  operationId: string;
  summary: string;
  tags: readonly string[];
  'x-needs': string | readonly string[] | null;
}
interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const BEGIN: Section = {
  title: 'How to call it',
  text: (
    <>
      <p>
        Requests carry the token of a session (<code>Authorization: Bearer …</code>) or an API key (
        <code>X-API-Key</code>). Bodies are <code>{'{"data": …}'}</code>, answers <code>{'{"data": …}'}</code> with{' '}
        <code>pagination</code> for lists, errors <code>{'{"errors": [{"code", "message", "field"}]}'}</code>.
      </p>
      <p>
        Every field and every error code of every endpoint stand in the <a href={OPENAPI_LINK}>OpenAPI 3.1 document</a>,
        which your tools can read.
      </p>
    </>
  ),
};

const titleOf = (tag: string): string => {
  const words = tag.replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const needsOf = (needs: Operation['x-needs']): string => {
  if (needs === 'public') return 'open to everybody';
  return needs === null ? 'signed in' : [needs].flat().join(' or ');
};

function sectionsOf({ paths }: Document): Section[] {
  const parts = new Map<string, { method: string; path: string; operation: Operation }[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? '';
      parts.set(tag, [...(parts.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  return [...parts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([tag, calls]) => ({
      title: titleOf(tag),
      text: (
        <ul className={styles.calls}>
          {calls.map(({ method, path, operation }) => (
            <li key={operation.operationId}>
              <code className={styles.call}>
                {method} {path}
              </code>
              <span>
                {operation.summary} <span className={styles.needs}>{needsOf(operation['x-needs'])}</span>
              </span>
            </li>
          ))}
        </ul>
      ),
    }));
}

async function load({ signal }: { signal: AbortSignal }): Promise<Section[]> {
  const answer = await fetch(OPENAPI_LINK, { signal });
  if (!answer.ok) throw new Error(`The description of the API cannot be read (${answer.status}).`);
  return sectionsOf((await answer.json()) as Document);
}

export default function ApiPage() {
  const { data, error } = useQuery({ queryKey: ['openapi'], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  const rest: Section[] = error
    ? [{ title: 'The endpoints', text: <p role="alert">{error.message}</p> }]
    : (data ?? []);
  return (
    <Prose title="Documentation" line="Everything the dashboard does is one public API." sections={[BEGIN, ...rest]} />
  );
}
