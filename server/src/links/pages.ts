/** Pages of the link domain. They work without scripts and load nothing. */

export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `
:root{color-scheme:light dark;--text:#1c2530;--muted:#5b6673;--page:#f5f6f8;--card:#fff;--line:#dfe3e8;--act:#0b63ce;
--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#eef1f4;--muted:#a5afba;--page:#14181d;--card:#1d2329;--line:#333c46;
--act:#5aa2ff;--wrong:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--page);color:var(--text);
font:17px/1.5 system-ui,sans-serif}
main{width:100%;max-width:420px;padding:32px;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 8px;font-size:22px;line-height:1.3}
p{margin:0 0 16px;color:var(--muted);overflow-wrap:anywhere}
p:last-child{margin:0}
button{width:100%;padding:14px;font:inherit;font-weight:600;color:var(--card);background:var(--act);border:0;
border-radius:8px;cursor:pointer}
label{display:block;margin:0 0 6px;font-weight:600}
input{width:100%;margin:0 0 16px;padding:13px;font:inherit;color:inherit;background:var(--page);
border:1px solid var(--muted);border-radius:8px}
.wrong{margin:-8px 0 16px;color:var(--wrong)}
input:focus-visible,button:focus-visible{outline:3px solid var(--text);outline-offset:2px}`;

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`;

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
    `${paragraph(`The ${masked(number)} will get no more messages from this sender.`)}
<form method="post" action="${escapeHtml(path)}"><button type="submit">Stop messages</button></form>`,
  );

export const optedOutPage = (company: string, number: string): string =>
  page('You have opted out', paragraph(`The ${masked(number)} gets no more messages from this sender of ${company}.`));
