import { DensityControl, ThemeControl } from '../../ui/theme/ThemeControls.tsx';
import styles from '../Settings.module.css';

/** The theme and density of this device. */
export function ThemeChoice() {
  return (
    <>
      <div className={styles.choice}>
        <span>Theme</span>
        <ThemeControl />
      </div>
      <div className={styles.choice}>
        <span>Density</span>
        <DensityControl />
      </div>
    </>
  );
}
