import { Button } from '@mantine/core';
import { type ApiRequest, type ApiRequestDetail, getApiRequest } from '@parley/contract/api_requests/api_requests.ts';
import { IconCopy } from '@tabler/icons-react';
import { useEndpoint } from '../kernel/http/query.ts';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { copyText } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { writeCurl } from './curl.ts';
import { RequestStatus } from './RequestStatus.tsx';
import styles from './Requests.module.css';
import { readablePath } from './readable_path.ts';

interface RequestPanelProps {
  id: string | null;
  /** The request as the list shows it. Undefined if it is not on this page. */
  row: ApiRequest | undefined;
  onClose: () => void;
}

export function RequestPanel({ id, row, onClose }: RequestPanelProps) {
  const query = useEndpoint(getApiRequest, { params: { id: id ?? '' } }, { enabled: id !== null });
  const detail = query.data?.data;
  const request = detail ?? row;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={
        request ? <span className={styles.path}>{`${request.method} ${readablePath(request.path)}`}</span> : 'Request'
      }
      description={request && <RequestStatus status={request.status} />}
      recordId={id ?? undefined}
      actions={detail && !detail.is_hidden && <CopyButton request={detail} />}
    >
      {detail ? (
        <Details key={detail.id} request={detail} />
      ) : query.error ? (
        <ErrorState
          title="The request could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={6} />
      )}
    </SidePanel>
  );
}

function CopyButton({ request }: { request: ApiRequestDetail }) {
  const copy = async () => {
    if (await copyText(writeCurl(request, window.location.origin))) toast.success('The curl command was copied');
  };
  return (
    <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
      Copy as curl
    </Button>
  );
}

function Details({ request }: { request: ApiRequestDetail }) {
  const { key_name, code, ms, address, agent, create_date, is_hidden, is_masked } = request;
  return (
    <div className={styles.details}>
      <Fields
        fields={[
          { label: 'Time', value: <DateTime value={create_date} /> },
          { label: 'Key', value: <bdi>{key_name ?? 'Deleted key'}</bdi> },
          { label: 'Code', value: code },
          { label: 'Duration', value: `${ms} ms` },
          { label: 'IP address', value: address },
          { label: 'User agent', value: agent },
        ]}
      />
      {is_hidden ? (
        <Notice tone="wait">You do not have permission to view the data of this request.</Notice>
      ) : (
        <>
          <Body title="Request body" text={request.request_body} />
          <Body title="Response body" text={request.response_body} />
          {is_masked && <p className={styles.hint}>Secrets and codes are masked, and long values are shortened.</p>}
        </>
      )}
    </div>
  );
}

function Body({ title, text }: { title: string; text: string | null }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      {text === null ? (
        <p className={styles.hint}>No body</p>
      ) : (
        <CodeBlock label={title} code={JSON.stringify(JSON.parse(text), null, 2)} />
      )}
    </section>
  );
}
