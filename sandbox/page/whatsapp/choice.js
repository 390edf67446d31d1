import { h } from '../ui/dom.js';

/** Formats an enumeration value for display. */
export const valueLabel = (value) => value.toLowerCase().replaceAll('_', ' ');

/** Creates a select with enumeration values. */
export const choice = (label, value, options, onChange) =>
  h(
    'select',
    { 'aria-label': label, value, onchange: (event) => onChange(event.target.value) },
    ...options.map((option) => h('option', { value: option, selected: option === value }, valueLabel(option))),
  );
