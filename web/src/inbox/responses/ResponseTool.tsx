import { ActionIcon } from '@mantine/core';
import { IconMessageReply } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';

const ResponsePicker = lazyPart(() => import('./ResponsePicker.tsx'));

interface Props {
  conversation_id: string;
  /** Why nothing can be inserted; null when it is possible. */
  reason: string | null;
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  onInsert: (text: string) => void;
}

/** The button that opens the responses, and their dialog. */
export function ResponseTool({ conversation_id, reason, isOpen, onOpen, onClose, onInsert }: Props) {
  return (
    <>
      <Tooltip label={reason ?? 'Insert response'}>
        <ActionIcon
          variant="subtle"
          aria-label="Insert response"
          aria-disabled={reason !== null || undefined}
          data-disabled={reason !== null || undefined}
          onClick={() => reason === null && onOpen()}
        >
          <IconMessageReply size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <ResponsePicker conversation_id={conversation_id} onInsert={onInsert} onClose={onClose} />
        </Suspense>
      )}
    </>
  );
}

/** Adds the inserted text after the text of the reply. */
export const appendText = (text: string, inserted: string): string =>
  text === '' || /\s$/.test(text) ? text + inserted : `${text} ${inserted}`;
