/** The pages of the CRM, in plain HTML. A record shows the panel of the app in a frame. Input is escaped. */
import type { FastifyReply } from 'fastify';
import type { Pipedrive } from './pipedrive.ts';
import { type Activity, company, type Person, stages, users } from './records.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** The notes of activities contain HTML. */
const plainText = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/p>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .trim();

export function showPage(reply: FastifyReply, { callback_url }: Pipedrive, html: string): FastifyReply {
  const frames = URL.parse(callback_url)?.origin ?? "'none'";
  return reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header(
      'content-security-policy',
      [
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        `frame-src ${frames}`,
        // The form redirects to the app, and browsers also apply form-action to redirects.
        `form-action 'self' ${frames}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    )
    .type('text/html; charset=utf-8')
    .send(html);
}

const page = (title: string, user_id: number, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)} · Parley sandbox</title>
    <link rel="icon" href="/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/styles/tokens.css" />
    <link rel="stylesheet" href="/styles/fonts.css" />
    <link rel="stylesheet" href="/styles/pipedrive.css" />
    <script type="module" src="/pipedrive/host.js"></script>
  </head>
  <body>
    <header>
      <p class="eyebrow">Sandbox CRM in place of Pipedrive</p>
      <nav><a href="/pipedrive?user=${user_id}">${escapeHtml(company.name)}</a></nav>
    </header>
    <main>
      <h1>${escapeHtml(title)}</h1>
      ${body}
    </main>
    <p id="snackbar" role="status" hidden></p>
  </body>
</html>
`;

/** The list of records. With `consent`, the user is asked whether the app may have access. */
export function homePage(pipedrive: Pipedrive, user_id: number, consent: { state: string } | null): string {
  if (consent) return consentPage(pipedrive, user_id, consent.state);
  const isInstalled = pipedrive.isInstalled(user_id);
  const people = pipedrive
    .people()
    .map(({ id, name }) => `<li><a href="/pipedrive/person/${id}?user=${user_id}">${escapeHtml(name)}</a></li>`);
  const deals = pipedrive
    .deals()
    .map(({ id, title }) => `<li><a href="/pipedrive/deal/${id}?user=${user_id}">${escapeHtml(title)}</a></li>`);
  const install = `<a class="button primary" href="/pipedrive/oauth/authorize?${new URLSearchParams({
    client_id: 'parley',
    redirect_uri: pipedrive.callback_url,
    user: String(user_id),
  })}">Install Parley</a>`;
  const uninstall = `<form method="post" action="/pipedrive/uninstall">
    <input type="hidden" name="user" value="${user_id}" /><button>Uninstall Parley</button></form>`;
  return page(
    'Records',
    user_id,
    `<p class="who">${users
      .map(({ id, name }) =>
        id === user_id
          ? `<strong>${escapeHtml(name)}</strong>`
          : `<a href="/pipedrive?user=${id}">${escapeHtml(name)}</a>`,
      )
      .join(' · ')}</p>
    <section><h2>Apps</h2>${isInstalled ? uninstall : install}</section>
    <section><h2>Deals</h2><ul>${deals.join('')}</ul></section>
    <section><h2>People</h2><ul>${people.join('')}</ul></section>`,
  );
}

const consentPage = (_pipedrive: Pipedrive, user_id: number, state: string): string =>
  page(
    'Allow Parley?',
    user_id,
    `<p>Parley wants to read your contacts and deals, and to add activities.</p>
    <form method="post" action="/pipedrive/oauth/authorize">
      <input type="hidden" name="state" value="${escapeHtml(state)}" />
      <label>User <select name="user">${users
        .map(({ id, name }) => `<option value="${id}"${id === user_id ? ' selected' : ''}>${escapeHtml(name)}</option>`)
        .join('')}</select></label>
      <div class="buttons">
        <button class="primary" name="choice" value="allow">Allow and install</button>
        <button name="choice" value="deny">Cancel</button>
      </div>
    </form>`,
  );

export function personPage(pipedrive: Pipedrive, user_id: number, id: number): string {
  const person = pipedrive.person(id);
  const activities = pipedrive.activities().filter((one) => one.person_id === id);
  return page(
    person.name,
    user_id,
    recordBody(panelFrame(pipedrive, user_id, 'person', id), personFacts(person), activities),
  );
}

export function dealPage(pipedrive: Pipedrive, user_id: number, id: number): string {
  const deal = pipedrive.deal(id);
  const person = deal.person_id === null ? null : pipedrive.person(deal.person_id);
  const activities = pipedrive.activities().filter((one) => one.deal_id === id);
  const stage = stages.find((one) => one.id === deal.stage_id)?.name ?? '';
  const facts = `<p>${deal.value} ${deal.currency}, ${escapeHtml(stage)}</p>${person ? personFacts(person) : ''}`;
  return page(deal.title, user_id, recordBody(panelFrame(pipedrive, user_id, 'deal', id), facts, activities));
}

const personFacts = ({ name, phones, emails }: Person): string =>
  `<p><strong>${escapeHtml(name)}</strong></p>
  <ul>${[...phones, ...emails]
    .map(({ value, label }) => `<li>${escapeHtml(value)} (${escapeHtml(label)})</li>`)
    .join('')}</ul>`;

/** Pipedrive shows the panels only of apps that the user has installed. */
const panelFrame = (pipedrive: Pipedrive, user_id: number, resource: 'person' | 'deal', id: number): string =>
  pipedrive.isInstalled(user_id)
    ? `<iframe title="Parley" src="${escapeHtml(pipedrive.panelUrl(user_id, resource, id, 'light'))}"></iframe>`
    : '<p class="hint">Parley is not installed.</p>';

const recordBody = (panel: string, facts: string, activities: readonly Activity[]): string => `<div class="record">
  <aside><section>${facts}</section><section><h2>Parley</h2>${panel}</section></aside>
  <section><h2>Activities</h2><ol class="activities">${activities
    .toReversed()
    .map(
      ({ subject, type, note }) =>
        `<li><span class="type">${escapeHtml(type)}</span> <strong>${escapeHtml(subject)}</strong>
        <p>${escapeHtml(plainText(note)).replace(/\n+/g, '<br />')}</p></li>`,
    )
    .join('')}</ol>${activities.length === 0 ? '<p class="hint">No activities yet</p>' : ''}</section>
</div>`;

export const failurePage = (text: string): string => page('This link does not work', 0, `<p>${escapeHtml(text)}</p>`);
