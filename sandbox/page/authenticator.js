// Authenticators: a code for each secret that was put in, with what is left of its half minute, and a form for one more.
import { get, request } from './api.js';
import { copyButton, h, toast } from './dom.js';

export function authenticatorView(root) {
  const list = h('ul', { class: 'codes' });
  const label = h('input', { id: 'label', autocomplete: 'off', maxlength: '200', required: true });
  const secret = h('input', {
    id: 'secret',
    autocomplete: 'off',
    maxlength: '300',
    required: true,
    spellcheck: 'false',
  });
  const form = h(
    'form',
    { class: 'new-code', onsubmit: (event) => void add(event) },
    h('label', { for: 'label' }, 'Name'),
    label,
    h('label', { for: 'secret' }, 'Secret'),
    secret,
    h('button', { class: 'button' }, 'Add'),
  );
  let timer;
  let shown = '';

  root.append(
    h(
      'div',
      { class: 'page' },
      h(
        'header',
        { class: 'page-head' },
        h(
          'div',
          {},
          h('h1', {}, 'Authenticator'),
          h('p', {}, 'What an authenticator app on a phone would show. Every code is good for one sign-in.'),
        ),
      ),
      h('section', { class: 'card', 'aria-label': 'Codes' }, list),
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'new-title' },
        h('h2', { id: 'new-title' }, 'Set up another'),
        form,
      ),
    ),
  );

  async function add(event) {
    event.preventDefault();
    try {
      await request('PUT', `authenticators/${encodeURIComponent(label.value.trim())}`, { secret: secret.value });
      form.reset();
      await draw();
    } catch (error) {
      toast(error.message);
    }
  }

  async function remove(name) {
    await request('DELETE', `authenticators/${encodeURIComponent(name)}`).catch((error) => toast(error.message));
    await draw();
  }

  async function draw() {
    const answer = await get('authenticators').catch(() => null);
    if (!answer) return;
    const { authenticators } = answer;
    const now = JSON.stringify(authenticators.map((one) => [one.label, one.code]));
    // Rows stay while their codes do: whoever reaches for a button must not lose it every second.
    if (now !== shown) {
      shown = now;
      list.replaceChildren(
        ...(authenticators.length > 0 ? authenticators.map(row) : [h('li', { class: 'muted' }, 'There is none yet.')]),
      );
    }
    for (const [index, one] of authenticators.entries()) {
      const left = list.children[index].querySelector('.left');
      if (left) left.textContent = `${one.seconds_left} s`;
    }
  }

  const row = (one) =>
    h(
      'li',
      {},
      h('span', { class: 'code-of' }, one.label),
      h(
        'output',
        { class: 'code', 'aria-label': `Code of ${one.label}` },
        `${one.code.slice(0, 3)} ${one.code.slice(3)}`,
      ),
      h('span', { class: 'left' }, `${one.seconds_left} s`),
      copyButton(one.code, `Copy the code of ${one.label}`),
      h(
        'button',
        { type: 'button', class: 'button', 'aria-label': `Remove ${one.label}`, onclick: () => void remove(one.label) },
        'Remove',
      ),
    );

  return {
    show() {
      void draw();
      clearInterval(timer);
      timer = setInterval(() => void draw(), 1000);
    },
    leave: () => clearInterval(timer),
  };
}
