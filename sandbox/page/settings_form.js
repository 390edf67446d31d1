// Settings of the carrier or of an app: a card for each group, every field taking effect as it is changed, a sentence about what is not
// as usual and the way back.
import { get, request } from './api.js';
import { count, h, toast } from './dom.js';

/** `says` is how a field reads in a sentence about what is not as usual; `unit` of none makes a switch, of words a choice. */
export function settingsForm({ path, groups, name }) {
  const fields = groups.flatMap((group) => group.fields);
  const prefix = path.replaceAll('/', '-');
  const controls = new Map();
  let usual;
  let settings;
  const strange = h('p', { class: 'strange', role: 'status' });
  const back = h('button', { type: 'button', class: 'button', hidden: true, onclick: backToUsual }, 'Back to usual');

  function drawGroup({ title, about, fields: inside }) {
    return h(
      'section',
      { class: 'card', 'aria-label': title },
      h('h2', {}, title),
      h('p', {}, about),
      ...inside.map(drawField),
    );
  }

  function drawField({ field, title, unit, factor = 1, help }) {
    const id = `${prefix}-${field}`;
    const control = controlFor(unit, { id, 'aria-describedby': `${id}-help` });
    control.addEventListener('change', () => {
      const value = control.type === 'number' ? Math.round(Number(control.value) * factor) : control.value;
      save({ [field]: control.type === 'checkbox' ? control.checked : value });
    });
    controls.set(field, control);
    return h(
      'div',
      { class: 'field' },
      h('div', { class: 'field-words' }, h('label', { for: id }, title), h('small', { id: `${id}-help` }, help)),
      h(
        'div',
        { class: 'field-control' },
        control,
        typeof unit === 'string' && h('span', { class: 'unit', 'aria-hidden': 'true' }, unit),
      ),
    );
  }

  async function save(changes) {
    try {
      draw(await request('PUT', path, changes));
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
      draw(settings);
    }
  }

  async function backToUsual() {
    try {
      draw(await request('PUT', path, usual));
    } catch (error) {
      toast(`Not changed: ${error.message}.`);
    }
  }

  function draw(now) {
    settings = now;
    const changed = [];
    for (const one of fields) {
      const control = controls.get(one.field);
      const value = now[one.field];
      if (control.type === 'checkbox') control.checked = value;
      else control.value = typeof value === 'number' ? value / (one.factor ?? 1) : value;
      const differs = value !== usual[one.field];
      control.closest('.field').classList.toggle('changed', differs);
      if (differs) changed.push(inWords(one, value));
    }
    back.hidden = changed.length === 0;
    strange.textContent = changed.length === 0 ? `${name} behaves as usual.` : `Not as usual: ${changed.join(', ')}.`;
    strange.classList.toggle('changed', changed.length > 0);
  }

  const cards = groups.map(drawGroup);
  return {
    cards,
    strange,
    back,
    /** Gives back what is set. */
    async read() {
      usual ??= await get(`${path}/usual`);
      draw(await get(path));
      return settings;
    },
    draw: (now) => usual && draw(now),
  };
}

function controlFor(unit, attributes) {
  if (unit === undefined) return h('input', { ...attributes, type: 'checkbox', role: 'switch', class: 'toggle' });
  if (typeof unit === 'string')
    return h('input', { ...attributes, type: 'number', min: '0', step: 'any', inputmode: 'numeric' });
  return h('select', attributes, ...Object.entries(unit).map(([value, words]) => h('option', { value }, words)));
}

function inWords({ says, unit, factor = 1 }, value) {
  if (unit === undefined) return value ? says : `not: ${says}`;
  return `${says} ${typeof unit === 'object' ? unit[value].toLowerCase() : `${count(value / factor)} ${unit}`}`;
}
