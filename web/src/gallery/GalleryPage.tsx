/** A development page that shows every shared component with realistic data, in both themes and densities. */
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { DensityControl, ThemeControl } from '../ui/theme/ThemeControls.tsx';
import { DataSpecimens } from './DataSpecimens.tsx';
import { FeedbackSpecimens } from './FeedbackSpecimens.tsx';
import { FieldSpecimens } from './FieldSpecimens.tsx';
import { FormSpecimens } from './FormSpecimens.tsx';
import styles from './Gallery.module.css';
import { MediaSpecimens } from './MediaSpecimens.tsx';
import { MessageSpecimens } from './MessageSpecimens.tsx';
import { TokenSpecimens } from './TokenSpecimens.tsx';

export default function GalleryPage() {
  return (
    <main className={styles.root}>
      <PageHeader
        title="Gallery"
        description="The components that all pages share."
        secondary={
          <div className={styles.switches}>
            <ThemeControl />
            <DensityControl />
          </div>
        }
      />
      <TokenSpecimens />
      <DataSpecimens />
      <MessageSpecimens />
      <MediaSpecimens />
      <FormSpecimens />
      <FieldSpecimens />
      <FeedbackSpecimens />
    </main>
  );
}
