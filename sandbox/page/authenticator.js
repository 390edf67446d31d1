/** The authenticator: the current code of each secret, and a form to add one. */
import { get, request } from './ui/api.js';
import { copyButton, h, toast } from './ui/dom.js';
import { card, pageHead } from './ui/page.js';

class AuthenticatorView {
  constructor(root) {
    this.timer = undefined;
    this.drawn = '';
    this.list = h('ul', { class: 'codes' });
    this.label = h('input', { id: 'label', autocomplete: 'off', maxlength: '200', required: true });
    const attributes = { autocomplete: 'off', maxlength: '300', required: true, spellcheck: 'false' };
    this.secret = h('input', { id: 'secret', ...attributes });
    this.form = h(
      'form',
      { class: 'new-code', onsubmit: (event) => void this.add(event) },
      h('label', { for: 'label' }, 'Name'),
      this.label,
      h('label', { for: 'secret' }, 'Secret'),
      this.secret,
      h('button', { class: 'button' }, 'Add authenticator'),
    );
    root.append(
      h(
        'div',
        { class: 'page' },
        pageHead('Authenticator', 'Codes from an authenticator app. Each code works for one sign-in.'),
        h('section', { class: 'card', 'aria-label': 'Codes' }, this.list),
        card('new-title', 'Add an authenticator', '', this.form),
      ),
    );
  }

  show() {
    void this.draw();
    clearInterval(this.timer);
    this.timer = setInterval(() => void this.draw(), 1000);
  }

  leave() {
    clearInterval(this.timer);
  }

  async add(event) {
    event.preventDefault();
    try {
      const label = encodeURIComponent(this.label.value.trim());
      await request('PUT', `authenticators/${label}`, { secret: this.secret.value });
      this.form.reset();
      await this.draw();
    } catch (error) {
      toast(`Authenticator not added: ${error.message}.`);
    }
  }

  async remove(label) {
    await request('DELETE', `authenticators/${encodeURIComponent(label)}`).catch((error) =>
      toast(`Authenticator not removed: ${error.message}.`),
    );
    await this.draw();
  }

  async draw() {
    const content = await get('authenticators').catch(() => null);
    if (!content) return;
    const { authenticators } = content;
    const codes = JSON.stringify(authenticators.map(({ label, code }) => [label, code]));
    // The rows are redrawn only when a code changes, because redrawing removes the focus from a button.
    if (codes !== this.drawn) {
      this.drawn = codes;
      const empty = h('li', { class: 'muted' }, 'No authenticators yet');
      this.list.replaceChildren(...(authenticators.length > 0 ? authenticators.map((one) => this.row(one)) : [empty]));
    }
    for (const [index, { seconds_left }] of authenticators.entries()) {
      const timeLeft = this.list.children[index].querySelector('.seconds-left');
      if (timeLeft) timeLeft.textContent = `${seconds_left} s`;
    }
  }

  row({ label, code, seconds_left }) {
    return h(
      'li',
      {},
      h('span', { class: 'code-label' }, label),
      h('output', { class: 'code', 'aria-label': `Code for ${label}` }, `${code.slice(0, 3)} ${code.slice(3)}`),
      h('span', { class: 'seconds-left' }, `${seconds_left} s`),
      copyButton(code, `Copy the code for ${label}`),
      h(
        'button',
        { type: 'button', class: 'button', 'aria-label': `Remove ${label}`, onclick: () => void this.remove(label) },
        'Remove',
      ),
    );
  }
}

export const authenticatorView = (root) => new AuthenticatorView(root);
