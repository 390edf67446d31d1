/** Wraps everything that is drawn: theme, colour scheme and density (both remembered on this device), toasts, confirmations. */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { ConfirmHost } from '../Confirm.tsx';
import { Toasts } from '../Toasts.tsx';
import { cssVariables, theme } from './theme.ts';
import './styles.ts';

export type Density = 'comfortable' | 'compact';
const DENSITY_KEY = 'parley.density';
const listeners = new Set<() => void>();

const readDensity = (): Density => (localStorage.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable');

export function setDensity(density: Density): void {
  localStorage.setItem(DENSITY_KEY, density);
  document.documentElement.dataset.density = density;
  for (const listener of listeners) listener();
}

export function useDensity(): [Density, (density: Density) => void] {
  const density = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readDensity);
  return [density, setDensity];
}

const schemes = localStorageColorSchemeManager({ key: 'parley.color_scheme' });

export function Look({ children }: { children: ReactNode }) {
  document.documentElement.dataset.density = readDensity();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      {children}
      <ConfirmHost />
      <Toasts />
    </MantineProvider>
  );
}
