/** The complete text of a key, which is shown once. */
import type { ApiKey } from '@parley/contract/keys/keys.ts';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Keys.module.css';

export function NewKey({ apiKey }: { apiKey: ApiKey }) {
  return (
    <div className={styles.newKey}>
      <Notice tone="wait">Copy the key now. It is not stored and cannot be shown again.</Notice>
      <p className={styles.secret}>
        <CopyId value={apiKey.key} label="API key" />
      </p>
      <p className={styles.hint}>Check that it works:</p>
      <CodeBlock label="Test request" code={testRequest(apiKey.key)} />
    </div>
  );
}

const testRequest = (key: string): string =>
  [`curl '${window.location.origin}/v1/accounts/self' \\`, `  -H 'X-API-Key: ${key}'`].join('\n');
