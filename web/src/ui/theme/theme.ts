/**
 * The theme. Mantine gets its scales here and its semantic colors from tokens.css through the resolver below, which
 * also increases the contrast of some Mantine defaults (dimmed, placeholder, error, disabled). Components and pages use
 * variables, never raw values.
 */
import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { dark, gray, red, signal } from './colors.ts';

/** Labels the arrows of Mantine's calendars and hides the low-contrast days of other months. */
const calendar = {
  firstDayOfWeek: 1,
  hideOutsideDates: true,
  weekendDays: [],
  ariaLabels: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
  },
};

/** The header of a dialog is not a banner landmark: the page already has one. */
const header = { defaultProps: { role: 'presentation' } };

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  colors: { signal, gray, dark, red },
  primaryColor: 'signal',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  black: '#1f1d1a',
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.375rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.45', xl: '1.3' },
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  shadows: { xs: 'var(--lift)', sm: 'var(--lift)', md: 'var(--lift)', lg: 'var(--lift)', xl: 'var(--lift)' },
  // Extra small is 0, small 576, medium 768, large 992, extra large 1200 (specification, section 9).
  breakpoints: { xs: '0em', sm: '36em', md: '48em', lg: '62em', xl: '75em', xxl: '87.5em' },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '620',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.45' },
      h3: { fontSize: '0.875rem', lineHeight: '1.5' },
      h4: { fontSize: '0.8125rem', lineHeight: '1.45' },
      h5: { fontSize: '0.75rem', lineHeight: '1.4' },
      h6: { fontSize: '0.75rem', lineHeight: '1.4' },
    },
  },
  // These are plain objects because `Component.extend` would load all of those components with the first page.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', size: 30 } },
    Button: { defaultProps: { size: 'sm' } },
    // Small corners: with the corners of a control, a box of this size looks like a radio button.
    Checkbox: { defaultProps: { size: 'xs', radius: 'var(--radius-check)' } },
    DatePicker: { defaultProps: calendar },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { color: 'var(--veil)', backgroundOpacity: 1 },
        transitionProps: { duration: 160 },
      },
    },
    DrawerHeader: header,
    // Optional fields have a mark instead (docs/decisions/0013-forms-have-one-pattern.md).
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // A menu must not contain the placeholder element that Mantine adds for the initial focus.
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 120 }, withInitialFocusPlaceholder: false },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'md',
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { color: 'var(--veil)', backgroundOpacity: 1 },
        transitionProps: { duration: 140, transition: 'pop' },
      },
    },
    ModalHeader: header,
    // A list that opens with the focus would cover the field's error.
    MultiSelect: { defaultProps: { openOnFocus: false } },
    Select: { defaultProps: { openOnFocus: false } },
    Radio: { defaultProps: { size: 'xs' } },
    Popover: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { duration: 120 } } },
  },
});

const semantic = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-error': 'var(--fail-ink)',
  '--mantine-color-success': 'var(--ok-ink)',
  '--mantine-color-placeholder': 'var(--placeholder)',
  '--mantine-color-anchor': 'var(--accent-ink)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-dimmed': 'var(--ink-dim)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-signal-filled': 'var(--accent)',
  '--mantine-color-signal-filled-hover': 'var(--accent-hover)',
  '--mantine-color-signal-text': 'var(--accent-ink)',
  '--mantine-color-signal-light': 'var(--accent-soft)',
  '--mantine-color-signal-light-hover': 'var(--accent-soft-hover)',
  '--mantine-color-signal-light-color': 'var(--accent-ink)',
  '--mantine-color-signal-outline': 'var(--accent-ink)',
  '--mantine-color-red-filled': 'var(--fail-solid)',
  '--mantine-color-red-filled-hover': 'var(--fail-solid-hover)',
  '--mantine-color-red-text': 'var(--fail-ink)',
  '--mantine-color-red-light': 'var(--fail-soft)',
  '--mantine-color-red-light-color': 'var(--fail-ink)',
  '--mantine-color-red-outline': 'var(--fail-ink)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: semantic, dark: semantic });
