import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';

/** A page that failed while it was drawn or loaded. The rest of the app goes on around it. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const words = error instanceof Error ? error.message : String(error);
  const isChunk = /dynamically imported module|module script|Failed to fetch/i.test(words);
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60dvh' }}>
      <ErrorState
        title={isChunk ? 'The page could not be loaded' : 'The page met a value it did not expect'}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      >
        {isChunk
          ? 'The server could not be reached, or a new version was installed. Try again, or load the page anew.'
          : `Nothing was changed. If it happens again, report these words: ${words}`}
      </ErrorState>
    </div>
  );
}
