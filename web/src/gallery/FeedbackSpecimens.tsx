import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../ui/data/format.ts';
import { StatChips } from '../ui/data/StatChips.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Progress } from '../ui/feedback/Progress.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { FileDrop } from '../ui/form/FileDrop.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';

export function FeedbackSpecimens() {
  return (
    <>
      <ProgressSpecimen />
      <NoticeSpecimen />
      <DialogSpecimen />
    </>
  );
}

function ProgressSpecimen() {
  return (
    <Specimen title="Progress">
      <div style={{ display: 'grid', gap: 16 }}>
        <Progress
          label="Sending Spring sale"
          done={14_210}
          total={20_000}
          running
          rate={612}
          seconds_left={280}
          parts={[
            { key: 'delivered', label: 'Delivered', value: 11_400, tone: 'ok' },
            { key: 'sent', label: 'Sent', value: 2_400, tone: 'flight' },
            { key: 'failed', label: 'Failed', value: 410, tone: 'fail' },
          ]}
        />
        <StatChips
          label="Counts"
          stats={[
            { key: 'delivered', label: 'Delivered', value: formatNumber(11_400), tone: 'ok', note: '57%' },
            { key: 'sent', label: 'Sent', value: formatNumber(2_400), tone: 'flight', note: '12%' },
            {
              key: 'failed',
              label: 'Undelivered',
              value: formatNumber(410),
              tone: 'fail',
              note: '2.1%',
              href: '/insights?statuses=undelivered',
            },
            { key: 'held', label: 'On hold', value: formatNumber(40), tone: 'wait' },
            { key: 'loading', label: 'Loading', value: undefined },
          ]}
        />
      </div>
    </Specimen>
  );
}

function NoticeSpecimen() {
  return (
    <Specimen title="Notices">
      <div style={{ display: 'grid', gap: 12 }}>
        <Notice tone="info">You can close this tab. The import continues without it.</Notice>
        <Notice tone="ok">1,204 contacts in Spring friends.</Notice>
        <Notice
          tone="wait"
          action={
            <Button size="xs" variant="default">
              Map columns
            </Button>
          }
        >
          Map the columns of this file to import its 1,240 rows.
        </Notice>
        <Notice tone="fail">The file could not be read. Nothing was changed.</Notice>
      </div>
    </Specimen>
  );
}

function DialogSpecimen() {
  const [file, setFile] = useState<File | null>(null);
  return (
    <Specimen title="File, toasts, confirmation">
      <div className={styles.pair}>
        <FileDrop
          label="Drop a CSV or XLSX file here"
          accept={['.csv', '.xlsx']}
          max_bytes={200 * 1024 * 1024}
          file={file}
          onFile={setFile}
        />
        <div className={styles.card}>
          <SkeletonFields count={4} />
        </div>
      </div>
      <div className={styles.row} style={{ marginTop: 16 }}>
        <Button variant="default" onClick={() => toast.success('The audience was created')}>
          Success
        </Button>
        <Button variant="default" onClick={() => toast.warning('Too many requests')}>
          Warning
        </Button>
        <Button variant="default" onClick={() => toast.error('The sender is blocked', { title: 'Not sent' })}>
          Error
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toast.success('Ann Miller was removed.', {
              autoClose: 5_000,
              action: { label: 'Undo', run: () => toast.info('Ann Miller is back') },
            })
          }
        >
          Undo
        </Button>
        <Button variant="default" onClick={() => void confirmDeletion()}>
          Confirm
        </Button>
      </div>
    </Specimen>
  );
}

const confirmDeletion = () =>
  confirm({
    title: 'Delete the audience “Spring customers”?',
    consequence: (
      <>
        Its <b>1,204 contacts</b> are deleted with it. Campaigns that used it are kept.
      </>
    ),
    action: 'Delete audience',
  });
