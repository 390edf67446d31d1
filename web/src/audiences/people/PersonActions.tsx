/** The actions for a person as a whole: read all messages, export, and erase. */

import { Button } from '@mantine/core';
import { createMerge } from '@parley/contract/audiences/merges.ts';
import { createExport, type ExportFormat } from '@parley/contract/exports/exports.ts';
import { createPersonErasure, getPersonErasure } from '@parley/contract/people/erasures.ts';
import {
  IconArrowMerge,
  IconBraces,
  IconDots,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconMessages,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { call } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { EXPORTS, linkTo, personPath } from '../../paths.ts';
import { brandName } from '../../ui/brand.ts';
import { formatCount } from '../../ui/data/format.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import { useZone } from '../../ui/data/zone.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { ActionGroup, ActionItem, ActionMenu, ActionSeparator } from '../../ui/layout/ActionMenu.tsx';
import styles from '../Audiences.module.css';

const MergeDialog = lazyPart(() => import('./MergeDialog.tsx'));

const FORMATS: readonly { format: ExportFormat; label: string; Icon: typeof IconBraces }[] = [
  { format: 'xlsx', label: 'Excel file (XLSX)', Icon: IconFileSpreadsheet },
  { format: 'csv', label: 'CSV file', Icon: IconFileTypeCsv },
  { format: 'jsonl', label: 'JSON Lines file', Icon: IconBraces },
];

interface PersonActionsProps {
  number: string;
  /** Null for a number without a person. */
  person_id?: string | null;
}

export function PersonActions({ number, person_id = null }: PersonActionsProps) {
  const navigate = useNavigate();
  const zone = useZone();
  const erase = useErase(number);
  const [isMerging, setMerging] = useState(false);
  const mergeReason = useReason(createMerge.needs);
  const start = useAction(createExport, {
    onSuccess: () =>
      toast.success('Export started. You will be notified when the file is ready.', {
        action: { label: 'View exports', run: () => void navigate({ to: EXPORTS }) },
      }),
  });
  return (
    <div className={styles.personActions}>
      <Allow needs="MESSAGES:view">
        <Button
          component={Link}
          {...linkTo('/insights', { search: number })}
          variant="default"
          leftSection={<IconMessages size={16} aria-hidden />}
        >
          All messages
        </Button>
      </Allow>
      <ActionMenu
        target={(target) => (
          <Button {...target} variant="default" px={9} aria-label="More actions" loading={start.isPending}>
            <IconDots size={16} aria-hidden />
          </Button>
        )}
      >
        <ActionGroup label="Export everything about this person">
          {FORMATS.map(({ format, label, Icon }) => (
            <ActionItem
              key={format}
              icon={<Icon size={15} stroke={1.8} aria-hidden />}
              onClick={() =>
                start.mutate({ body: { list: 'person', params: { id: number }, format, time_zone: zone } })
              }
            >
              {label}
            </ActionItem>
          ))}
        </ActionGroup>
        <ActionSeparator />
        {person_id !== null && (
          <Disabled reason={mergeReason} position="left">
            <ActionItem icon={<IconArrowMerge size={15} stroke={1.8} aria-hidden />} onClick={() => setMerging(true)}>
              Merge with another person
            </ActionItem>
          </Disabled>
        )}
        <Disabled reason={erase.reason} position="left">
          <ActionItem icon={<IconTrash size={15} stroke={1.8} aria-hidden />} danger onClick={() => void erase.ask()}>
            Erase person
          </ActionItem>
        </Disabled>
      </ActionMenu>
      {isMerging && person_id !== null && (
        <Suspense>
          <MergeDialog id={person_id} onClose={() => setMerging(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Confirms with a list of what is deleted and kept, then opens the page of the number, because the person is gone. */
function useErase(number: string) {
  const navigate = useNavigate();
  const action = useAction(createPersonErasure, {
    invalidates: ['person_timeline', 'people', 'contacts', 'audiences'],
    onSuccess: () => toast.success('Erasure started'),
  });
  const ask = async () => {
    const { data } = await call(getPersonErasure, { params: { id: number } });
    if (data.in_flight > 0) {
      const found = formatCount(data.in_flight, 'message');
      const messages = data.in_flight >= 100 ? 'More than 99 messages' : found;
      toast.error(`${messages} to this person are scheduled or being sent. Cancel them, or try again later.`);
      return;
    }
    // Carrier IDs have no plus sign.
    const written = /^\d+$/.test(number) ? `+${number}` : number;
    const confirmed = await confirm({
      title: `Erase ${parsePhone(number).text}?`,
      consequence: <Consequence />,
      action: 'Erase person',
      requiredText: written,
      danger: true,
    });
    if (!confirmed) return;
    await navigate({ to: personPath(number), replace: true });
    action.mutate({ params: { id: number }, body: { number: written } });
  };
  return { reason: useReason(createPersonErasure.needs), ask: () => ask().catch(toastError) };
}

const Consequence = () => (
  <>
    <p>This cannot be undone. Deleted everywhere in {brandName()}:</p>
    <ul className={styles.goes}>
      <li>Names, fields, and tags, in all audiences</li>
      <li>The texts and files of all messages, in both directions</li>
      <li>Conversations with their notes, drafts, and labels</li>
      <li>Copies in logs, webhook deliveries, and skipped rows of imports</li>
    </ul>
    <p>Kept as proof:</p>
    <ul className={styles.goes}>
      <li>The number, and the status, time, and price of each message</li>
      <li>Consents, the stop list, and the audit log</li>
      <li>The ledger and all counts</li>
    </ul>
    <p>Exported files and your CRM are not changed.</p>
  </>
);
