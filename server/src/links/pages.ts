/** Pages of the link domain. They work without scripts and load nothing. */
import { escapeHtml, publicPage } from './public_page.ts';

const page = (title: string, body: string): string =>
  publicPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n${body}` });

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

export const notFoundPage = (): string =>
  page('Link not found', paragraph('Check the link in the message, and try again.'));

export const closedPage = (): string =>
  page('This link has expired', paragraph('Ask the sender of the message for a new link.'));

export const blockedPage = (): string =>
  page('This link is blocked', paragraph('Its destination is on the block list of this service.'));

export const passwordPage = (path: string, isWrong = false): string =>
  page(
    'Enter the password',
    `${paragraph('The sender of this link has protected it with a password.')}
<form method="post" action="${escapeHtml(path)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="72" autocomplete="off" autofocus${
      isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''
    }>
${isWrong ? '<p class="wrong" id="wrong" role="alert">Wrong password. Try again.</p>' : ''}
<button type="submit">Continue</button></form>`,
  );

/** Ends in the digits that the recipient recognizes, without showing the number to others who open the link. */
const masked = (number: string): string => `number ending in ${number.slice(-3)}`;

export const optOutPage = (path: string, company: string, number: string): string =>
  page(
    `Stop messages from ${company}?`,
    `${paragraph(`The ${masked(number)} will no longer receive messages from this sender.`)}
<form method="post" action="${escapeHtml(path)}"><button type="submit">Stop messages</button></form>`,
  );

export const optedOutPage = (company: string, number: string): string =>
  page(
    'You have opted out',
    paragraph(`The ${masked(number)} will no longer receive messages from this sender of ${company}.`),
  );
