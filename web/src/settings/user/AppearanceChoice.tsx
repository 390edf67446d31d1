import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { type Density, useDensity } from '../../ui/theme/density.ts';
import styles from '../Settings.module.css';

export function AppearanceChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity();
  return (
    <>
      <div className={styles.choice}>
        <span>Theme</span>
        <SegmentedControl
          size="xs"
          aria-label="Theme"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
          data={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
            { value: 'auto', label: 'System' },
          ]}
        />
      </div>
      <div className={styles.choice}>
        <span>List density</span>
        <SegmentedControl
          size="xs"
          aria-label="List density"
          value={density}
          onChange={(value) => setDensity(value as Density)}
          data={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
        />
      </div>
    </>
  );
}
