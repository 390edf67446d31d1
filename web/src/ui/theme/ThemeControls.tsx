/** The controls for theme and density. */
import { useMantineColorScheme } from '@mantine/core';
import { Segments } from '../controls/Segments.tsx';
import { type Density, useDensity } from './density.ts';

interface ControlProps {
  fullWidth?: boolean;
}

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
    <Segments fullWidth={fullWidth} aria-label="Theme" value={colorScheme} onChange={setColorScheme} data={THEMES} />
  );
}

export function DensityControl({ fullWidth = false }: ControlProps) {
  const [density, setDensity] = useDensity();
  return <Segments fullWidth={fullWidth} aria-label="Density" value={density} onChange={setDensity} data={DENSITIES} />;
}
