/** The parts shared by the settings pages: the frame, cards, counters, tables and a throttled reload. */
import { count, h } from './dom.js';

const reloadInterval = 1000;

export const pageHead = (title, description, action) =>
  h('header', { class: 'page-head' }, h('div', {}, h('h1', {}, title), h('p', {}, description)), action);

/** A section with a heading and a description; `id` is the id of the heading. */
export const card = (id, title, description, ...content) =>
  h('section', { class: 'card', 'aria-labelledby': id }, h('h2', { id }, title), description, ...content);

export const scrollBox = (label) =>
  h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': label });

/** Draws counters from rows of name, number and note. */
export function drawCounters(list, rows) {
  list.replaceChildren(
    ...rows.map(([name, number, note]) =>
      h('div', {}, h('dt', {}, name), h('dd', {}, count(number), h('small', {}, note))),
    ),
  );
}

export function drawTable(box, { columns, rows, empty, className }) {
  if (rows.length === 0) {
    box.replaceChildren(h('p', { class: 'empty' }, empty));
    return;
  }
  box.replaceChildren(
    h(
      'table',
      { class: className },
      h('thead', {}, h('tr', {}, ...columns.map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))))),
    ),
  );
}

/** Wraps a function that loads data, so that a burst of events loads at most once per second. */
export function throttledReload(load) {
  let waiting = false;
  let stale = false;
  let stopped = false;
  async function reload() {
    if (waiting) {
      stale = true;
      return;
    }
    waiting = true;
    // The status line shows when the sandbox is not reachable. The next event triggers another load.
    await Promise.resolve(load()).catch(() => {});
    setTimeout(() => {
      waiting = false;
      if (stale && !stopped) {
        stale = false;
        void reload();
      }
    }, reloadInterval);
  }
  return {
    reload,
    /** Requests one more load after the current interval. */
    invalidate() {
      stale = true;
    },
    stop() {
      stopped = true;
    },
  };
}
