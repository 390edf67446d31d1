// The frame of the page: which view is shown (the address after # says it), the state of the live line, light or dark.
import { connect } from './api.js';
import { authenticatorView } from './authenticator.js';
import { carrierView } from './carrier.js';
import { icon } from './dom.js';
import { magicView } from './magic.js';
import { mailView } from './mail.js';
import { phonesView } from './phones.js';
import { viberView } from './viber.js';
import { whatsappView } from './whatsapp.js';

const views = {
  phones: phonesView,
  mail: mailView,
  authenticator: authenticatorView,
  carrier: carrierView,
  whatsapp: whatsappView,
  viber: viberView,
  magic: magicView,
};
const titles = {
  phones: 'Phones',
  mail: 'Mailbox',
  authenticator: 'Authenticator',
  carrier: 'Carrier',
  whatsapp: 'WhatsApp',
  viber: 'Viber',
  magic: 'Magic numbers',
};
const main = document.getElementById('view');
let current = { name: '', view: undefined };

function show() {
  const [name = 'phones', ...rest] = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
  const known = Object.hasOwn(views, name) ? name : 'phones';
  const argument = decodeURIComponent(rest.join('/'));
  document.title = `${argument || titles[known]} · Parley sandbox`;
  for (const tab of document.querySelectorAll('[data-tab]')) {
    if (tab.dataset.tab === known) {
      tab.setAttribute('aria-current', 'page');
      // On a phone the row of tabs scrolls.
      tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else tab.removeAttribute('aria-current');
  }
  if (current.name !== known) {
    current.view?.leave();
    main.replaceChildren();
    main.className = `view-${known}`;
    current = { name: known, view: views[known](main) };
  }
  current.view.show(argument);
}

const live = document.getElementById('live');
connect((open) => {
  live.dataset.state = open ? 'open' : 'lost';
  live.querySelector('.live-word').textContent = open ? 'Live' : 'Sandbox not reachable, trying again';
});

const theme = document.getElementById('theme');
const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
const drawTheme = () => theme.replaceChildren(icon(isDark() ? 'sun' : 'moon'));
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  localStorage.setItem('sandbox-theme', document.documentElement.dataset.theme);
  drawTheme();
});
const chosen = localStorage.getItem('sandbox-theme');
if (chosen) document.documentElement.dataset.theme = chosen;
dark.addEventListener('change', drawTheme);
drawTheme();

addEventListener('hashchange', show);
show();
