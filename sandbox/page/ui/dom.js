/** Creates elements. Text is always inserted as text and never as HTML, because messages are not trusted. */

/** h('p', { class: 'note', onclick }, 'text', child, null): attributes by name, listeners by `on…`, then children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const paths = {
  search: 'M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.500 15.500 20 20',
  back: 'M14.500 5.500 8 12l6.500 6.500',
  send: 'M12 19V5.500M6 11l6-6 6 6',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  open: 'M13 5h6v6M19 5l-9 9M10 6H5v13h13v-5',
  sun:
    'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 ' +
    '17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  clip:
    'M19 11l-7.500 7.500a4.500 4.500 0 0 1-6.400-6.400L13 4.200a3 3 0 0 1 4.300 4.300l-7.600 7.500a1.500 1.500 0 0 1' +
    '-2.100-2.100L14 7.500',
  down: 'M12 5v12M6.500 12l5.500 5.500 5.500-5.500M5 20.500h14',
  cut: 'M8.500 8.500 20 19M8.500 15.500 20 5M6 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6 14a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  ticks: 'M2 12.500l4.500 4.500L14 8M11.500 16l1 1L21 8',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.500l3 2',
  pin:
    'M12 21c4-4.500 6.500-7.800 6.500-11a6.500 6.500 0 0 0-13 0c0 3.200 2.500 6.500 6.500 11zM12 7.500a2.500 2.500' +
    ' 0 1 1 0 5 2.500 2.500 0 0 1 0-5z',
  call:
    'M6 4h4l1.500 5-2.500 1.500a11 11 0 0 0 4.500 4.500L15 12.500l5 1.500v4c0 1-1 2-2 2C10.500 20 4 13.500 4 6c0-1' +
    ' 1-2 2-2z',
  reply: 'M9.500 7 5 11.500 9.500 16M5 11.500h8a6 6 0 0 1 6 6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.500 20c0-4 3.500-5.500 7.500-5.500s7.500 1.500 7.500 5.500',
  list: 'M5 7h14M5 12h14M5 17h14',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [key, value] of Object.entries({
    viewBox: '0 0 24 24',
    width: 18,
    height: 18,
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 1.75,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  })) {
    svg.setAttribute(key, String(value));
  }
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

/** Returns the text with its URLs turned into links. */
export function linked(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g)) {
    nodes.push(text.slice(at, match.index));
    nodes.push(h('a', { href: match[0], target: '_blank', rel: 'noopener noreferrer' }, match[0]));
    at = match.index + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}

let toastTimer;
export function toast(text) {
  const area = document.getElementById('toasts');
  clearTimeout(toastTimer);
  area.replaceChildren(h('p', { class: 'toast' }, text));
  toastTimer = setTimeout(() => area.replaceChildren(), 4000);
}

export function copyButton(text, label) {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'icon-button small',
      'aria-label': label,
      title: label,
      onclick: async () => {
        await copy(text);
        button.replaceChildren(icon('check'));
        setTimeout(() => button.replaceChildren(icon('copy')), 1500);
      },
    },
    icon('copy'),
  );
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${text}`);
  } catch {
    toast('The browser blocked copying. Select the text and copy it.');
  }
}

const oneDigitCodes = /^[17]/;
const twoDigitCodes = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Formats a number as +44 7700 900 123; short codes stay as they are. */
export function phoneNumber(digits) {
  if (digits.length < 9) return digits;
  const code = oneDigitCodes.test(digits) ? 1 : twoDigitCodes.test(digits) ? 2 : 3;
  const rest = digits.slice(code);
  const tail = digits.startsWith('1') ? 7 : 6;
  const groups = [rest.slice(0, -tail), rest.slice(-tail, 3 - tail), rest.slice(3 - tail)];
  return `+${[digits.slice(0, code), ...groups].filter(Boolean).join(' ')}`;
}

/** Formats a phone number; returns a sender name unchanged. */
export const address = (text) => (/^\d+$/.test(text) ? phoneNumber(text) : text);

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const calendar = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' });
const sameDay = (a, b) => a.toDateString() === b.toDateString();

export const timeOfDay = (iso) => clock.format(new Date(iso));
export const exactTime = (iso) =>
  `${calendar.format(new Date(iso)).replaceAll('/', '-')} ${new Date(iso).toLocaleTimeString('en-GB')}`;

export function dayName(iso) {
  const day = new Date(iso);
  const today = new Date();
  if (sameDay(day, today)) return 'Today';
  today.setDate(today.getDate() - 1);
  return sameDay(day, today) ? 'Yesterday' : calendar.format(day).replaceAll('/', '-');
}

export const shortTime = (iso) => (dayName(iso) === 'Today' ? timeOfDay(iso) : dayName(iso));
export const count = (number) => number.toLocaleString('en-US');
