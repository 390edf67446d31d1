/**
 * The root of every page: theme, color scheme and density (both stored on this device), toasts, confirmations, and the
 * focus after dialogs.
 */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ConfirmHost } from '../feedback/Confirm.tsx';
import { keepFocus } from '../feedback/return_focus.ts';
import { Toasts } from '../feedback/Toasts.tsx';
import { applyDensity } from './density.ts';
import { cssVariables, theme } from './theme.ts';
import './styles.ts';

const schemes = localStorageColorSchemeManager({ key: 'parley.color_scheme' });
applyDensity();

/** `nonce` lets the content security policy accept styles that are created at run time. */
export function ThemeProvider({ children, nonce }: { children: ReactNode; nonce?: string | undefined }) {
  useEffect(() => keepFocus(), []);
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
