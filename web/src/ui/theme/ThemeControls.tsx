/** The controls for theme and density. */
import { SegmentedControl, type SegmentedControlProps, useMantineColorScheme } from '@mantine/core';
import { type Density, useDensity } from './density.ts';

type ControlProps = Pick<SegmentedControlProps, 'fullWidth'>;

export const THEMES: { value: 'light' | 'dark' | 'auto'; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];
export const DENSITIES: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

export function ThemeControl({ fullWidth = false }: ControlProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth={fullWidth}
      aria-label="Theme"
      value={colorScheme}
      onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
      data={THEMES}
    />
  );
}

export function DensityControl({ fullWidth = false }: ControlProps) {
  const [density, setDensity] = useDensity();
  return (
    <SegmentedControl
      size="xs"
      fullWidth={fullWidth}
      aria-label="Density"
      value={density}
      onChange={(value) => setDensity(value as Density)}
      data={DENSITIES}
    />
  );
}
