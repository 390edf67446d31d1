/** Shows a request to a provider and its response as they go over the network, with masked secrets. */
import type { ConnectionTest, ShownRequest, ShownResponse } from '@parley/contract/connections/connection_tests.ts';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from './Connect.module.css';
import { FAILURE_KINDS } from './words.ts';

export function RequestView({ request }: { request: ShownRequest }) {
  const { method, url, headers, body } = request;
  const lines = [`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`)];
  return (
    <div className={styles.exchange}>
      <h4>Request</h4>
      <CodeBlock label="Request" code={[...lines, ...(body ? ['', pretty(body)] : [])].join('\n')} />
    </div>
  );
}

function ResponseView({ response, ms }: { response: ShownResponse; ms: number }) {
  const { status, headers, body, is_cut } = response;
  const lines = [`HTTP ${status}`, ...headers.map(({ name, value }) => `${name}: ${value}`)];
  const rest = is_cut ? ['', 'Only the beginning of the body is shown.'] : [];
  return (
    <div className={styles.exchange}>
      <h4>{`Response after ${formatNumber(ms)} ms`}</h4>
      <CodeBlock label="Response" code={[...lines, ...(body ? ['', pretty(body)] : []), ...rest].join('\n')} />
    </div>
  );
}

/** Indents JSON. Any other text is unchanged, including truncated JSON. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function ExchangeView({ test: { exchange, outcome } }: { test: ConnectionTest }) {
  if (!exchange) return null;
  return (
    <>
      <RequestView request={exchange.request} />
      {exchange.response && <ResponseView response={exchange.response} ms={exchange.ms} />}
      {outcome && (
        <div className={styles.exchange}>
          <h4>What Parley read</h4>
          <Fields fields={readingFields(outcome)} />
        </div>
      )}
    </>
  );
}

function readingFields({ ids, failure }: NonNullable<ConnectionTest['outcome']>) {
  if (!failure) return [{ label: 'Message ID', value: ids.join(', ') }];
  const { label, effect } = FAILURE_KINDS[failure.kind];
  return [
    { label: 'Failure', value: `${label}. ${effect}` },
    ...(failure.code ? [{ label: 'Code', value: failure.code }] : []),
    { label: 'Reason', value: failure.text },
  ];
}
