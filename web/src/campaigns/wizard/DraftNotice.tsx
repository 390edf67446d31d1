import { Button } from '@mantine/core';
import { Notice } from '../../ui/feedback/Notice.tsx';
import type { DraftState } from './useDraft.ts';
import styles from './Wizard.module.css';

/** States that the draft was restored, or that another tab sent or discarded it. */
export function DraftNotice({ draftState, isFirstStep }: { draftState: DraftState; isFirstStep: boolean }) {
  const { isStale, restored, startOver, keep } = draftState;
  const startOverButton = (
    <Button size="xs" variant="default" onClick={startOver}>
      Start over
    </Button>
  );
  if (isStale)
    return (
      <Notice
        className={styles.above}
        tone="wait"
        action={
          <>
            {startOverButton}
            <Button size="xs" variant="default" onClick={keep}>
              Continue as new campaign
            </Button>
          </>
        }
      >
        This draft was sent or discarded in another tab. Nothing will be sent from this tab until you choose how to
        continue.
      </Notice>
    );
  if (!restored || !isFirstStep) return null;
  return (
    <Notice className={styles.above} tone="info" action={startOverButton}>
      Your unsent draft was restored.
    </Notice>
  );
}
