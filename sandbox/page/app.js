/** The frame of the page: shows the view named after # in the URL, the state of the live stream and the theme. */
import { authenticatorView } from './authenticator.js';
import { carrierView } from './carrier/carrier.js';
import { magicView } from './magic.js';
import { mailView } from './mail/mail.js';
import { phonesView } from './phones/phones.js';
import { connect } from './ui/api.js';
import { icon } from './ui/dom.js';
import { viberView } from './viber/viber.js';
import { whatsappView } from './whatsapp/whatsapp.js';

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
  const [first = 'phones', ...rest] = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
  const name = Object.hasOwn(views, first) ? first : 'phones';
  const argument = decodeURIComponent(rest.join('/'));
  document.title = `${argument || titles[name]} · Parley sandbox`;
  for (const tab of document.querySelectorAll('[data-tab]')) {
    if (tab.dataset.tab === name) {
      tab.setAttribute('aria-current', 'page');
      // On a narrow screen, the row of tabs scrolls.
      tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else tab.removeAttribute('aria-current');
  }
  if (current.name !== name) {
    current.view?.leave();
    main.replaceChildren();
    main.className = `view-${name}`;
    current = { name, view: views[name](main) };
  }
  current.view.show(argument);
}

const live = document.getElementById('live');
connect((open) => {
  live.dataset.state = open ? 'open' : 'lost';
  live.querySelector('.live-word').textContent = open ? 'Live' : 'Sandbox not reachable. Retrying.';
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
