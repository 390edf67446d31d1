import { SegmentedControl } from '@mantine/core';
import type { MediaType } from '@parley/contract/media/types.ts';
import { useState } from 'react';
import { type AttachmentValue, NO_ATTACHMENT } from '../media/attachment.ts';
import { MediaPicker } from '../media/MediaPicker.tsx';
import { MediaView } from '../media/MediaView.tsx';
import type { Upload, UploadState } from '../media/useUpload.ts';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';

const MB = 1024 * 1024;
/** A file with a name and a size, the only properties that the specimens read. */
const file = (name: string, size: number): File => ({ name, size }) as File;
const frozen = (state: UploadState): Upload => ({ state, reason: null, start: noop, cancel: noop, retry: noop });
const noop = () => {};
const PICTURE_SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="300">',
  '<rect width="480" height="300" fill="#e2a33b"/><circle cx="350" cy="110" r="60" fill="#fff6df"/>',
  '<path d="M0 300 160 150 260 240 330 190 480 300z" fill="#5b3fd0"/></svg>',
].join('');
const PICTURE = `data:image/svg+xml,${encodeURIComponent(PICTURE_SVG)}`;
const SIZE = { width: 480, height: 300 };
const STATES: Readonly<Record<string, UploadState>> = {
  Uploading: { status: 'uploading', file: file('spring.mp4', 80 * MB), sent: 34 * MB, waiting: false },
  Offline: { status: 'uploading', file: file('spring.mp4', 80 * MB), sent: 34 * MB, waiting: true },
  Checking: { status: 'uploading', file: file('spring.mp4', 80 * MB), sent: 80 * MB, waiting: false },
  Failed: {
    status: 'failed',
    file: file('spring.mp4', 80 * MB),
    message: 'The upload was interrupted. Check your connection and try again.',
    resumable: true,
  },
  Rejected: { status: 'failed', file: file('spring.mp4', 90), message: 'The file is corrupted', resumable: false },
};
const DONE: AttachmentValue = {
  source: 'file',
  url: '',
  media: {
    id: '1',
    type: 'image',
    file_name: 'spring.jpg',
    bytes: 482_113,
    ...SIZE,
    get_url: PICTURE,
    thumbnail_url: null,
  },
};

export function MediaSpecimens() {
  const [type, setType] = useState<MediaType>('image');
  const [value, setValue] = useState<AttachmentValue>(NO_ATTACHMENT);
  const [state, setState] = useState('Uploading');
  const card = 'brochure_2026_with_a_rather_long_name_that_does_not_fit.pdf';
  return (
    <>
      <Specimen title="A file or a link">
        <div className={styles.pair}>
          <div className={styles.card}>
            <SegmentedControl
              size="xs"
              mb={12}
              aria-label="Type"
              value={type}
              onChange={(next) => setType(next as MediaType)}
              data={['image', 'video', 'document']}
            />
            <MediaPicker
              type={type}
              channel={null}
              value={value}
              onChange={setValue}
              upload={frozen({ status: 'idle' })}
              error={value.source === 'file' ? 'File is a required field' : null}
            />
          </div>
          <div className={styles.card}>
            <div style={{ marginBottom: 12, overflowX: 'auto' }}>
              <SegmentedControl
                size="xs"
                aria-label="State"
                value={state}
                onChange={setState}
                data={[...Object.keys(STATES), 'Ready']}
              />
            </div>
            <MediaPicker
              type={state === 'Ready' ? 'image' : 'video'}
              channel={null}
              value={state === 'Ready' ? DONE : NO_ATTACHMENT}
              onChange={noop}
              upload={frozen(STATES[state] ?? { status: 'idle' })}
            />
          </div>
        </div>
      </Specimen>
      <Specimen title="Media">
        <div className={styles.row} style={{ alignItems: 'flex-start' }}>
          <MediaView type="image" url={PICTURE} file_name="spring.jpg" {...SIZE} />
          <MediaView type="image" url="data:image/png,broken" file_name="broken.jpg" width={200} height={120} />
          <MediaView type="document" url="/v1/media/files/brochure.pdf" file_name={card} bytes={1.4 * MB} />
          <MediaView type="video" url="data:video/mp4,none" file_name="clip.3gp" bytes={6 * MB} />
          <MediaView type="image" url="https://shop.example.com/spring.jpg" file_name="spring.jpg" />
        </div>
      </Specimen>
    </>
  );
}
