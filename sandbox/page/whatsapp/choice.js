import { h } from '../ui/dom.js';

/** An enumeration value as the page shows it. */
export const valueLabel = (value) => value.toLowerCase().replaceAll('_', ' ');

/** A select of enumeration values. */
export const choice = (label, value, options, onChange) =>
  h(
    'select',
    { 'aria-label': label, value, onchange: (event) => onChange(event.target.value) },
    ...options.map((option) => h('option', { value: option, selected: option === value }, valueLabel(option))),
  );
