/** Development only: every piece with realistic data, in both themes and densities. What is not right here is not right anywhere. */
import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { type Density, useDensity } from '../ui/theme/density.ts';
import { DataSpecimens } from './DataSpecimens.tsx';
import { FeedbackSpecimens } from './FeedbackSpecimens.tsx';
import { FormSpecimens } from './FormSpecimens.tsx';
import styles from './Gallery.module.css';
import { MediaSpecimens } from './MediaSpecimens.tsx';
import { MessageSpecimens } from './MessageSpecimens.tsx';
import { TokenSpecimens } from './TokenSpecimens.tsx';

export default function GalleryPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity();
  return (
    <main className={styles.root}>
      <PageHeader
        title="Gallery"
        description="Every piece the pages are built from."
        secondary={
          <div className={styles.switches}>
            <SegmentedControl
              size="xs"
              aria-label="Theme"
              value={colorScheme}
              onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
              data={['light', 'dark', 'auto']}
            />
            <SegmentedControl
              size="xs"
              aria-label="Density"
              value={density}
              onChange={(value) => setDensity(value as Density)}
              data={['comfortable', 'compact']}
            />
          </div>
        }
      />
      <TokenSpecimens />
      <DataSpecimens />
      <MessageSpecimens />
      <MediaSpecimens />
      <FormSpecimens />
      <FeedbackSpecimens />
    </main>
  );
}
