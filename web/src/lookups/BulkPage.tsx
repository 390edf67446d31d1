import { Button, Select } from '@mantine/core';
import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import { createBulkLookup, listBulkLookups, MAX_BULK_BYTES } from '@parley/contract/lookups/lookups.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callUpload } from '../kernel/http/client.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { formatMoney, formatNumber } from '../ui/data/format.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { FileDrop } from '../ui/form/FileDrop.tsx';
import { BulkCard } from './BulkCard.tsx';
import { LookupLayout, usePrice } from './LookupLayout.tsx';
import styles from './Lookups.module.css';
import { priceText } from './words.ts';

export default function BulkPage() {
  return (
    <LookupLayout
      title="Bulk carrier lookup"
      description="Look up all numbers in a file or an audience, and clean your lists."
    >
      <div className={styles.page}>
        <StartForm />
        <BulkList />
      </div>
    </LookupLayout>
  );
}

/** Numbers per second that providers look up in a bulk request. */
const PER_SECOND = 20;

function StartForm() {
  const price = usePrice();
  const cache = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [rows, setRows] = useState(0);
  const [audience, setAudience] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const reason = useReason(listAudiences.needs);
  const audiences = useEndpoint(listAudiences, { query: { page_size: 300 } }, { enabled: reason === null }).data?.data;
  const count = audience === null ? rows : (audiences?.find(({ id }) => id === audience)?.contacts_count ?? 0);
  const onFile = (next: File | null) => {
    setFile(next);
    setError(null);
    setAudience(null);
    setRows(0);
    void next?.text().then((text) => setRows(text.split(/\r\n|\r|\n/).filter((line) => /\d{4}/.test(line)).length));
  };
  const start = async () => {
    setSending(true);
    setError(null);
    try {
      const fields = audience === null ? {} : { audience };
      await callUpload(createBulkLookup, fields, file ?? new File([''], 'audience'));
      toast.success('Bulk lookup started');
      onFile(null);
      await cache.invalidateQueries({ queryKey: ['bulk_lookups'] });
    } catch (problem) {
      setError((problem as Error).message);
    } finally {
      setSending(false);
    }
  };
  return (
    <section className={styles.form} aria-label="New bulk lookup">
      <FileDrop
        label="Drop a CSV file with one number per row"
        accept={['.csv', '.txt']}
        max_bytes={MAX_BULK_BYTES}
        file={file}
        onFile={onFile}
        error={error}
      />
      {audiences && audiences.length > 0 && (
        <Select
          label="Or look up an audience"
          placeholder="Select an audience"
          clearable
          searchable
          data={audiences.map(({ id, name }) => ({ value: id, label: name }))}
          value={audience}
          onChange={(id) => {
            onFile(null);
            setAudience(id);
          }}
        />
      )}
      {price && <p className={styles.note}>{count === 0 ? priceText(price) : <Estimate count={count} />}</p>}
      <div>
        <Allow needs={createBulkLookup.needs}>
          <Button loading={sending} disabled={count === 0} onClick={() => void start()}>
            Start bulk lookup
          </Button>
        </Allow>
      </div>
    </section>
  );
}

function Estimate({ count }: { count: number }) {
  const price = usePrice();
  if (!price) return null;
  const minutes = Math.max(1, Math.ceil(count / PER_SECOND / 60));
  const most = formatMoney(count * price.price_micros, price.currency, { exact: true });
  const time = price.is_live ? `about ${minutes} minute${minutes === 1 ? '' : 's'}` : 'a few seconds';
  return (
    <>
      {formatNumber(count)} number{count === 1 ? '' : 's'}, at most {most}, in {time}. Numbers that are not found, and
      numbers looked up in the last 24 hours, are free.
    </>
  );
}

function BulkList() {
  const query = useEndpoint(listBulkLookups, { query: { page_size: 20 } });
  if (query.error)
    return (
      <ErrorState title="The bulk lookups could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (query.data?.data.length === 0) return <p className={styles.note}>No bulk lookups yet.</p>;
  return query.data?.data.map((bulk) => <BulkCard key={bulk.id} bulk={bulk} />);
}
