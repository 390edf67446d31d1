/** Imports a price list: choose a file, read what would change, then apply all changes at once. */
import { Button, Radio } from '@mantine/core';
import {
  applyPriceImport,
  createPriceImport,
  MAX_PRICE_LIST,
  MAX_PRICE_SHEET_BYTES,
  type PriceDifference,
  type PriceImport,
} from '@parley/contract/admin/prices.ts';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { StatChips } from '../../ui/data/StatChips.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FileDrop, fileProblem } from '../../ui/form/FileDrop.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { FileProblems } from '../FileProblems.tsx';
import { NewPlanForm } from '../price_plans/PlanForm.tsx';
import { priceName } from './price_words.ts';

interface PanelProps {
  open: boolean;
  onClose: () => void;
}

export function ImportPanel({ open, onClose }: PanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Import price list"
      description="Preview the changes first. Prices change only when you apply the import."
    >
      {open && <ImportSteps onClose={onClose} />}
    </SidePanel>
  );
}

function ImportSteps({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [missing, setMissing] = useState<PriceImport['missing']>('keep');
  const [preview, setPreview] = useState<PriceImport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useAction(createPriceImport, {
    onSuccess: ({ data }) => setPreview(data),
    onError: (error) => setProblem(error.message),
  });
  const start = async (chosen: File) => {
    setProblem(null);
    setPreview(null);
    const content = isSheet(chosen) ? { xlsx: await toBase64(chosen) } : { text: await chosen.text() };
    read.mutate({ body: { filename: chosen.name, ...content, missing } });
  };
  const restart = () => {
    setPreview(null);
    setProblem(null);
  };
  return (
    <div className={styles.panelForm}>
      <FileDrop
        label="Drop a CSV or XLSX file here"
        accept={['.csv', '.txt', '.xlsx']}
        max_bytes={MAX_PRICE_LIST}
        check={findFault}
        file={file}
        error={problem}
        onFile={(next) => {
          setFile(next);
          restart();
        }}
      />
      <p className={styles.hint}>
        The first line, or the first row of the first sheet, names the columns: channel, country, network, purpose,
        currency, price. Country, currency, and price are required. Example: SMS,DE,26202,,EUR,0.0625
      </p>
      <Radio.Group
        label="Prices missing from the file"
        description="Applies only to the channels and currencies in the file."
        value={missing}
        onChange={(value) => {
          setMissing(value as PriceImport['missing']);
          restart();
        }}
      >
        <div className={styles.checks}>
          <Radio value="keep" label="Keep them" />
          <Radio value="remove" label="Remove them" />
        </div>
      </Radio.Group>
      {preview === null ? (
        <Button
          variant="default"
          disabled={file === null}
          loading={read.isPending}
          onClick={() => file && void start(file)}
        >
          Preview changes
        </Button>
      ) : (
        <Preview preview={preview} onClose={onClose} />
      )}
    </div>
  );
}

const isSheet = ({ name }: File): boolean => name.toLowerCase().endsWith('.xlsx');

const findFault = (file: File): string | null =>
  fileProblem(file, ['.csv', '.txt', '.xlsx'], isSheet(file) ? MAX_PRICE_SHEET_BYTES : MAX_PRICE_LIST);

async function toBase64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

const DIFFERENCES: Column<PriceDifference>[] = [
  { key: 'destination', title: 'Destination', fixed: true, width: '100%', render: (row) => priceName(row) },
  {
    key: 'before',
    title: 'Before',
    align: 'end',
    fixed: true,
    render: (row) => <Money micros={row.before_micros} currency={row.currency} exact />,
  },
  {
    key: 'after',
    title: 'After',
    align: 'end',
    fixed: true,
    render: (row) => <Money micros={row.after_micros} currency={row.currency} exact />,
  },
];

function Preview({ preview, onClose }: { preview: PriceImport; onClose: () => void }) {
  const total = preview.added + preview.changed + preview.removed;
  const apply = useAction(applyPriceImport, {
    onSuccess: () => {
      toast.success(`${formatCount(total, 'price')} changed`);
      onClose();
    },
  });
  const stats = [
    { key: 'added', label: 'Added', value: formatNumber(preview.added) },
    { key: 'changed', label: 'Changed', value: formatNumber(preview.changed) },
    { key: 'removed', label: 'Removed', value: formatNumber(preview.removed) },
    { key: 'unchanged', label: 'Unchanged', value: formatNumber(preview.unchanged) },
  ];
  return (
    <section className={styles.section} aria-label="Preview">
      <StatChips label="Changes" stats={stats} />
      <FileProblems invalid={preview.invalid} problems={preview.problems} />
      {preview.unknown_networks > 0 && (
        <Notice tone="wait">
          {formatCount(preview.unknown_networks, 'price')} for networks that are not in the numbering plan. They have no
          effect until you add these networks.
        </Notice>
      )}
      {preview.differences.length > 0 && (
        <>
          <h3>Largest differences</h3>
          <DataTable
            id="price_differences"
            label="Largest differences"
            grow
            columns={DIFFERENCES}
            rows={preview.differences}
            rowKey={(row) => `${priceName(row)} ${row.currency}`}
            empty={null}
          />
        </>
      )}
      {preview.invalid === 0 &&
        (total === 0 ? (
          <Notice tone="info">The file matches the current prices. There is nothing to apply.</Notice>
        ) : (
          <Allow needs={applyPriceImport.needs}>
            <div className={styles.section}>
              <Button loading={apply.isPending} onClick={() => apply.mutate({ params: { id: preview.id }, body: {} })}>
                Apply {formatCount(total, 'change')}
              </Button>
              <h3>Or apply later</h3>
              <NewPlanForm target={() => ({ import_id: preview.id })} label="Plan changes" />
            </div>
          </Allow>
        ))}
    </section>
  );
}
