/** The pages of the sign-in provider, in plain HTML without scripts. Input from people is escaped. */
import type { ServerResponse } from 'node:http';
import type { GooglePerson } from './google_person.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

// The form redirects to the application, and browsers also apply form-action to redirects.
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self' http://localhost:* http://*.localhost:* http://127.0.0.1:*",
].join('; ');

export function showPage(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    .end(html);
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)} · Parley sandbox</title>
    <link rel="icon" href="/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/styles/tokens.css" />
    <link rel="stylesheet" href="/styles/google.css" />
  </head>
  <body>
    <main>
      <p class="eyebrow">Sandbox sign-in in place of Google</p>
      <h1>${escapeHtml(title)}</h1>
      ${body}
    </main>
  </body>
</html>
`;

export const chooserPage = (people: readonly GooglePerson[]): string =>
  page(
    'Choose an account',
    `<ul class="people">${people.map(personRow).join('')}</ul>
      <form method="post" class="other">
        <h2>Use another account</h2>
        <label>Name <input name="name" autocomplete="off" maxlength="100" /></label>
        <label>Email <input name="email" type="email" autocomplete="off" required maxlength="245" /></label>
        <label class="check">
          <input name="email_verified" type="checkbox" value="yes" checked /> This email address is verified
        </label>
        <button class="primary">Continue</button>
      </form>
      <form method="post"><button name="choice" value="cancel">Cancel</button></form>`,
  );

function personRow({ name, email, email_verified }: GooglePerson): string {
  const note = email_verified ? '' : ', not verified';
  return `<li><form method="post">
          <input type="hidden" name="name" value="${escapeHtml(name)}" />
          <input type="hidden" name="email" value="${escapeHtml(email)}" />
          <input type="hidden" name="email_verified" value="${email_verified ? 'yes' : 'no'}" />
          <button class="person"><strong>${escapeHtml(name)}</strong> <span>${escapeHtml(email)}${note}</span></button>
        </form></li>`;
}

export const failurePage = (text: string): string => page('Sign-in failed', `<p>${escapeHtml(text)}</p>`);
