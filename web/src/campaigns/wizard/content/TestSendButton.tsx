import { Button } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconDeviceMobileMessage } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../ui/feedback/lazy_part.ts';
import type { Draft } from '../draft.ts';
import styles from '../Wizard.module.css';

const TestSend = lazyPart(() => import('./TestSend.tsx'));

interface TestSendButtonProps {
  channel: ChannelName;
  draft: Draft;
  /** The recipient in the preview. */
  offset: number;
}

/** Opens the dialog that sends the message to phones of the team. */
export function TestSendButton(props: TestSendButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.testSend}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDeviceMobileMessage size={15} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Send a test message
      </Button>
      {isOpen && (
        <Suspense>
          <TestSend {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
