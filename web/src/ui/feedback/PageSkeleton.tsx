import { Skeleton } from './Skeletons.tsx';

/** The shape of a page while its code or data loads. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'start', marginBottom: 24 }}>
        <div>
          <Skeleton width={180} height={24} />
          <div style={{ marginTop: 8 }}>
            <Skeleton width={320} />
          </div>
        </div>
        <Skeleton width={128} height={36} />
      </div>
      <Skeleton height={36} />
      <div style={{ marginTop: 12 }}>
        <Skeleton height={360} />
      </div>
    </div>
  );
}
