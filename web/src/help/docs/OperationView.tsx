/** One endpoint: its fields, its errors, and an example. */
import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { LANGUAGES, type Language, writeExample } from '@parley/contract/docs/examples.ts';
import {
  type FieldRow,
  type Operation,
  permissionText,
  readRefusals,
  readTables,
} from '@parley/contract/docs/openapi.ts';
import { useMemo } from 'react';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import styles from './Docs.module.css';
import { inline } from './Markdown.tsx';
import { TryIt } from './TryIt.tsx';

export function OperationView({ operation }: { operation: Operation }) {
  const { operationId, method, path, summary } = operation;
  const { parameters, body, response } = useMemo(() => readTables(operation), [operation]);
  return (
    <section className={styles.operation} id={operationId} aria-labelledby={`${operationId}.title`}>
      <div className={styles.facts}>
        <h3 id={`${operationId}.title`} className={styles.operationTitle}>
          {summary}
        </h3>
        <p className={styles.call}>
          <Method method={method} /> <code>{path}</code>
        </p>
        <p className={styles.dim}>{inline(operation.description ?? permissionText(operation['x-needs']))}</p>
        {parameters.length > 0 && <FieldTable title="Parameters" rows={parameters} />}
        {body.length > 0 && <FieldTable title="Request body" rows={body} />}
        {response.length > 0 && (
          <details className={styles.details}>
            <summary>Response fields</summary>
            <FieldTable title="Response" rows={response} />
          </details>
        )}
        <ErrorCodes operation={operation} />
      </div>
      <Example operation={operation} />
    </section>
  );
}

export function Method({ method }: { method: string }) {
  return (
    <span className={styles.method} data-method={method}>
      {method}
    </span>
  );
}

/** Makes a scrolling block reachable by keyboard. */
const scrolling = (title: string) => ({ tabIndex: 0, role: 'group', 'aria-label': title });

function FieldTable({ title, rows }: { title: string; rows: readonly FieldRow[] }) {
  return (
    <div className={styles.tableBox} {...scrolling(title)}>
      <table className={styles.table}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Notes</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, note }) => (
            <tr key={`${name} ${note}`}>
              <th scope="row">
                <code>{name}</code>
                {isRequired && <span className={styles.required}> required</span>}
                <span className={styles.type}>{type}</span>
              </th>
              <td>{inline(note)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The error codes of each status, as the catalog describes them. */
function ErrorCodes({ operation }: { operation: Operation }) {
  const refusals = readRefusals(operation);
  if (refusals.length === 0) return null;
  return (
    <details className={styles.details}>
      <summary>Errors</summary>
      <dl className={styles.errors}>
        {refusals.map(({ status, texts }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              {texts.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Example({ operation }: { operation: Operation }) {
  const [language, setLanguage] = useLocalStorage<Language>({
    key: 'parley.docs_language',
    defaultValue: 'curl',
    deserialize: (text) => LANGUAGES.find(({ value }) => text === JSON.stringify(value))?.value ?? 'curl',
    getInitialValueInEffect: false,
  });
  return (
    <div className={styles.example}>
      <SegmentedControl
        size="xs"
        aria-label={`Language of the example: ${operation.summary}`}
        value={language}
        onChange={(value) => setLanguage(value as Language)}
        data={LANGUAGES.map(({ value, label }) => ({ value, label }))}
      />
      <div className={styles.wide}>
        <CodeBlock
          code={writeExample(operation, language, window.location.origin)}
          label={`Example: ${operation.summary}`}
        />
      </div>
      <TryIt operation={operation} />
    </div>
  );
}
