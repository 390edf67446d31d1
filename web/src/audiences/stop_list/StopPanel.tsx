import { Anchor, Button } from '@mantine/core';
import { removeStopListEntry, type StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { Link } from '@tanstack/react-router';
import { Allow } from '../../kernel/session/allow.tsx';
import { linkToAddress, messagePath } from '../../paths.ts';
import { REASON_LABELS } from '../../senders/stop_list_labels.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import { countryName } from '../numbers.ts';

export interface StopPanelProps {
  entry: StopListEntry | null;
  onClose: () => void;
  onRemove: (entry: StopListEntry) => void;
}

/** Details of a stop list entry: number, reason, time, and the message that caused it. */
export function StopPanel({ entry, onClose, onRemove }: StopPanelProps) {
  return (
    <SidePanel
      open={entry !== null}
      onClose={onClose}
      title={entry ? <PhoneNumber value={entry.number} /> : ''}
      description={entry && `Blocked for ${entry.sender_name ?? 'every sender'}`}
      recordId={entry?.id}
      actions={
        entry && (
          <Allow needs={removeStopListEntry.needs}>
            <Button variant="default" onClick={() => onRemove(entry)}>
              Remove from the stop list
            </Button>
          </Allow>
        )
      }
    >
      {entry && (
        <Fields
          fields={[
            { label: 'Reason', value: REASON_LABELS[entry.reason] },
            { label: 'Since', value: <DateTime value={entry.create_date} /> },
            ...(entry.text ? [{ label: 'Message text', value: entry.text }] : []),
            ...(entry.message_id
              ? [
                  {
                    label: 'Message',
                    value: (
                      <Anchor component={Link} {...linkToAddress(messagePath(entry.message_id))} inherit>
                        Open message
                      </Anchor>
                    ),
                  },
                ]
              : []),
            { label: 'Country', value: entry.country ? countryName(entry.country) : null },
          ]}
        />
      )}
    </SidePanel>
  );
}
