import { Bone } from './Skeletons.tsx';

/** The shape of a list page while its code is on the way. */
export function PageBones() {
  return (
    <div role="status" aria-label="Loading">
      <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'start', marginBottom: 24 }}>
        <div>
          <Bone width={180} height={24} />
          <div style={{ marginTop: 8 }}>
            <Bone width={320} />
          </div>
        </div>
        <Bone width={128} height={36} />
      </div>
      <Bone height={36} />
      <div style={{ marginTop: 12 }}>
        <Bone height={360} />
      </div>
    </div>
  );
}
