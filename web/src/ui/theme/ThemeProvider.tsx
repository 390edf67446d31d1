/** Wraps everything that is drawn: theme, colour scheme and density (both remembered on this device), toasts, confirmations. */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmHost } from '../feedback/Confirm.tsx';
import { Toasts } from '../feedback/Toasts.tsx';
import { applyDensity } from './density.ts';
import { cssVariables, theme } from './theme.ts';
import './styles.ts';

const schemes = localStorageColorSchemeManager({ key: 'parley.color_scheme' });
applyDensity();

/** `nonce`: what the browser demands of styles that are made at run time. */
export function ThemeProvider({ children, nonce }: { children: ReactNode; nonce?: string | undefined }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce ?? ''}
    >
      {children}
      <ConfirmHost />
      <Toasts />
    </MantineProvider>
  );
}
