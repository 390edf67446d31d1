/** Every choice of theme and density, as entries that can be applied one by one. */
import { useMantineColorScheme } from '@mantine/core';
import { useDensity } from './density.ts';
import { DENSITIES, THEMES } from './ThemeControls.tsx';

interface AppearanceChoice {
  id: string;
  label: string;
  /** Additional search words. */
  keywords: string;
  isCurrent: boolean;
  apply: () => void;
}

export function useAppearance(): AppearanceChoice[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity();
  return [
    ...THEMES.map(({ value, label }) => ({
      id: `theme.${value}`,
      label: `Theme: ${label.toLowerCase()}`,
      keywords: 'mode color scheme appearance',
      isCurrent: value === colorScheme,
      apply: () => setColorScheme(value),
    })),
    ...DENSITIES.map(({ value, label }) => ({
      id: `density.${value}`,
      label: `Density: ${label.toLowerCase()}`,
      keywords: 'rows spacing appearance',
      isCurrent: value === density,
      apply: () => setDensity(value),
    })),
  ];
}
