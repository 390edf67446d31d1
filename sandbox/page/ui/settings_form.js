/**
 * A form for the settings of the carrier or of an app, with one card per group. Every change is saved immediately. A
 * line above the cards lists the settings that differ from their defaults.
 */
import { get, request } from './api.js';
import { count, h, toast } from './dom.js';

/**
 * A field has a `title`, a `help` text and a `summary` for the list of changed settings. Its `unit` is a string for a
 * number, an object of labels for a choice, and absent for a switch.
 */
export class SettingsForm {
  constructor({ path, groups, name }) {
    this.path = path;
    this.name = name;
    this.fields = groups.flatMap((group) => group.fields);
    this.controls = new Map();
    this.defaults = undefined;
    this.settings = undefined;
    this.summary = h('p', { class: 'settings-summary', role: 'status' });
    const attributes = { type: 'button', class: 'button', hidden: true, onclick: () => this.save(this.defaults) };
    this.resetButton = h('button', attributes, 'Reset to defaults');
    this.cards = groups.map((group) => this.drawGroup(group));
  }

  /** Loads the settings and returns them. */
  async read() {
    this.defaults ??= await get(`${this.path}/usual`);
    this.draw(await get(this.path));
    return this.settings;
  }

  draw(settings) {
    if (!this.defaults) return;
    this.settings = settings;
    const changes = [];
    for (const field of this.fields) {
      const value = settings[field.field];
      const isChanged = value !== this.defaults[field.field];
      this.drawValue(field, value, isChanged);
      if (isChanged) changes.push(describe(field, value));
    }
    this.resetButton.hidden = changes.length === 0;
    this.summary.textContent =
      changes.length === 0 ? `${this.name} uses the default settings.` : `Changed settings: ${changes.join(', ')}.`;
    this.summary.classList.toggle('changed', changes.length > 0);
  }

  drawValue({ field, factor = 1 }, value, isChanged) {
    const control = this.controls.get(field);
    if (control.type === 'checkbox') control.checked = value;
    else control.value = typeof value === 'number' ? value / factor : value;
    control.closest('.field').classList.toggle('changed', isChanged);
  }

  drawGroup({ title, description, fields }) {
    return h(
      'section',
      { class: 'card', 'aria-label': title },
      h('h2', {}, title),
      h('p', {}, description),
      ...fields.map((field) => this.drawField(field)),
    );
  }

  drawField({ field, title, unit, factor = 1, help }) {
    const id = `${this.path.replaceAll('/', '-')}-${field}`;
    const control = createControl(unit, { id, 'aria-describedby': `${id}-help` });
    control.addEventListener('change', () => {
      const value = control.type === 'number' ? Math.round(Number(control.value) * factor) : control.value;
      this.save({ [field]: control.type === 'checkbox' ? control.checked : value });
    });
    this.controls.set(field, control);
    return h(
      'div',
      { class: 'field' },
      h('div', { class: 'field-text' }, h('label', { for: id }, title), h('small', { id: `${id}-help` }, help)),
      h(
        'div',
        { class: 'field-control' },
        control,
        typeof unit === 'string' && h('span', { class: 'unit', 'aria-hidden': 'true' }, unit),
      ),
    );
  }

  async save(changes) {
    try {
      this.draw(await request('PUT', this.path, changes));
    } catch (error) {
      toast(`Settings not saved: ${error.message}.`);
      this.draw(this.settings);
    }
  }
}

function createControl(unit, attributes) {
  if (unit === undefined) return h('input', { ...attributes, type: 'checkbox', role: 'switch', class: 'toggle' });
  if (typeof unit === 'string') {
    return h('input', { ...attributes, type: 'number', min: '0', step: 'any', inputmode: 'numeric' });
  }
  return h('select', attributes, ...Object.entries(unit).map(([value, label]) => h('option', { value }, label)));
}

function describe({ summary, unit, factor = 1 }, value) {
  if (unit === undefined) return `${summary} ${value ? 'on' : 'off'}`;
  if (typeof unit === 'object') return `${summary} ${unit[value].toLowerCase()}`;
  const number = count(value / factor);
  return `${summary} ${number}${unit === '%' ? '%' : ` ${unit}`}`;
}
