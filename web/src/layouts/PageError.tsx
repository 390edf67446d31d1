import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';

/** Replaces a page that failed to load or render. The rest of the app keeps working. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const message = error instanceof Error ? error.message : String(error);
  const isChunk = /dynamically imported module|module script|Failed to fetch/i.test(message);
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60dvh' }}>
      <ErrorState
        title={isChunk ? 'The page could not be loaded' : 'Something went wrong on this page'}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      >
        {isChunk
          ? 'The server could not be reached, or a new version was installed. Try again, or reload the page.'
          : `Nothing was changed. If this happens again, report this error: ${message}`}
      </ErrorState>
    </div>
  );
}
