// The provider's own pages: plain HTML without a script. What people typed goes in escaped.
import type { ServerResponse } from 'node:http';
import type { GooglePerson } from './google.ts';

const plain = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

// The form ends, by redirects, at the application that asked; browsers hold form-action against those too.
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' http://localhost:* http://*.localhost:* http://127.0.0.1:*";

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
    <title>${plain(title)} · Parley sandbox</title>
    <link rel="icon" href="/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/tokens.css" />
    <link rel="stylesheet" href="/google.css" />
  </head>
  <body>
    <main>
      <p class="where">The sandbox plays Google</p>
      <h1>${plain(title)}</h1>
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
        <h2>Somebody else</h2>
        <label>Name <input name="name" autocomplete="off" maxlength="100" /></label>
        <label>Email <input name="email" type="email" autocomplete="off" required maxlength="245" /></label>
        <label class="check"><input name="email_verified" type="checkbox" value="yes" checked /> The address is confirmed</label>
        <button class="primary">Continue</button>
      </form>
      <form method="post"><button name="choice" value="cancel">Cancel</button></form>`,
  );

const personRow = ({ name, email, email_verified }: GooglePerson): string => `<li><form method="post">
          <input type="hidden" name="name" value="${plain(name)}" />
          <input type="hidden" name="email" value="${plain(email)}" />
          <input type="hidden" name="email_verified" value="${email_verified ? 'yes' : 'no'}" />
          <button class="person"><strong>${plain(name)}</strong> <span>${plain(email)}${email_verified ? '' : ', not confirmed'}</span></button>
        </form></li>`;

export const failurePage = (text: string): string => page('That did not work', `<p>${plain(text)}</p>`);
