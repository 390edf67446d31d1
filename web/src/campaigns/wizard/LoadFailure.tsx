import { Button } from '@mantine/core';
import { Notice } from '../../ui/feedback/Notice.tsx';
import type { Failure } from './choices.ts';

/** `what` is the subject of the sentence: "The senders". */
export function LoadFailure({ what, failure }: { what: string; failure: Failure | null }) {
  if (!failure) return null;
  return (
    <Notice
      tone="fail"
      action={
        <Button size="xs" variant="default" onClick={failure.retry}>
          Retry
        </Button>
      }
    >
      {what} could not be loaded. {failure.error.message}
    </Notice>
  );
}
