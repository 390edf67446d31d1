/** The API documentation: every endpoint by module, read from the OpenAPI document. */
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

const INTRODUCTION: Section = {
  title: 'Making requests',
  text: (
    <>
      <p>
        Authenticate with a session token (<code>Authorization: Bearer …</code>) or an API key (<code>X-API-Key</code>).
        Request and response bodies have the form <code>{'{"data": …}'}</code>; list responses also have{' '}
        <code>pagination</code>. Error responses have the form{' '}
        <code>{'{"errors": [{"code", "message", "field"}]}'}</code>.
      </p>
      <p>
        The <a href={OPENAPI_LINK}>OpenAPI 3.1 document</a> lists every endpoint’s fields and error codes in
        machine-readable form.
      </p>
    </>
  ),
};

const sectionTitle = (tag: string): string => {
  const words = tag.replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const permissionText = (needs: Operation['x-needs']): string => {
  if (needs === 'public') return 'no sign-in required';
  return needs === null ? 'sign-in required' : [needs].flat().join(' or ');
};

function toSections({ paths }: Document): Section[] {
  const parts = new Map<string, { method: string; path: string; operation: Operation }[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? '';
      parts.set(tag, [...(parts.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  return [...parts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([tag, calls]) => ({
      title: sectionTitle(tag),
      text: (
        <ul className={styles.calls}>
          {calls.map(({ method, path, operation }) => (
            <li key={operation.operationId}>
              <code className={styles.call}>
                {method} {path}
              </code>
              <span>
                {operation.summary} <span className={styles.needs}>{permissionText(operation['x-needs'])}</span>
              </span>
            </li>
          ))}
        </ul>
      ),
    }));
}

async function load({ signal }: { signal: AbortSignal }): Promise<Section[]> {
  const response = await fetch(OPENAPI_LINK, { signal });
  if (!response.ok) throw new Error(`The API description could not be loaded (${response.status}).`);
  return toSections((await response.json()) as Document);
}

export default function ApiPage() {
  const { data, error } = useQuery({ queryKey: ['openapi'], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  const rest: Section[] = error ? [{ title: 'Endpoints', text: <p role="alert">{error.message}</p> }] : (data ?? []);
  return (
    <Prose
      title="Documentation"
      description="Everything the dashboard does is available in the public API."
      sections={[INTRODUCTION, ...rest]}
    />
  );
}
