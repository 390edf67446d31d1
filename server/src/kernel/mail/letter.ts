/** The layout for all emails: HTML and plain text from the same content. Content from outside is escaped here. */
export interface Letter {
  /** The product's or the customer's brand. */
  brand: string;
  title: string;
  paragraphs: readonly string[];
  /** A code to copy, shown in large type. */
  code?: string;
  action?: { label: string; url: string };
  /** Links below the button, one per line. */
  links?: readonly { label: string; url: string }[];
  /** A second action, below the button. */
  also?: { label: string; url: string };
  /** States why the recipient gets this email. */
  footer: string;
}

const FONT = "16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";

const STYLES = {
  table: 'width:100%;max-width:560px;margin:0 auto',
  brand: `padding:0 4px 16px;font:${FONT};font-weight:700;font-size:18px;color:#1f1d1a`,
  mark: 'display:inline-block;width:12px;height:12px;margin-right:8px;border-radius:3px;background:#3a36c8',
  code:
    'margin:0 0 16px;padding:16px;background:#f3f1ec;border-radius:8px;text-align:center;' +
    'font:700 28px/1.2 ui-monospace,monospace;letter-spacing:6px',
  button:
    'display:inline-block;padding:12px 24px;background:#3a36c8;border-radius:8px;color:#ffffff;' +
    'font-weight:600;text-decoration:none',
  url: 'margin:0;font-size:13px;color:#635e55;word-break:break-all',
};

const plain = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export function letter({ brand, title, paragraphs, code, action, links = [], also, footer }: Letter): {
  html: string;
  text: string;
} {
  const url = action ? safe(action.url) : '';
  const other = also ? safe(also.url) : '';
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${plain(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#faf9f7;color:#1f1d1a;font:${FONT}">
<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="${STYLES.table}">
<tr><td style="${STYLES.brand}"><span style="${STYLES.mark}"></span>${plain(brand)}</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #e8e4dc;border-radius:12px;font:${FONT};color:#1f1d1a">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${plain(title)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${plain(text)}</p>`).join('\n')}
${code ? `<p style="${STYLES.code}">${plain(code)}</p>` : ''}
${action ? button(plain(action.label), plain(url)) : ''}
${links.map(({ label, url: to }) => link(plain(label), plain(safe(to)), 12)).join('\n')}
${also ? link(plain(also.label), plain(other), 16) : ''}
</td></tr>
<tr><td style="padding:16px 4px 0;font:${FONT};font-size:13px;color:#635e55">${plain(footer)}</td></tr>
</table></body></html>`.replace(/\n{2,}/g, '\n');
  const text = [
    title,
    ...paragraphs,
    ...(code ? [code] : []),
    ...(action ? [`${action.label}: ${url}`] : []),
    ...links.map(({ label, url: to }) => `${label}: ${safe(to)}`),
    ...(also ? [`${also.label}: ${other}`] : []),
    `-- \n${footer}`,
  ].join('\n\n');
  return { html, text: `${text}\n` };
}

const button = (label: string, url: string): string =>
  `<p style="margin:8px 0 16px"><a href="${url}" style="${STYLES.button}">${label}</a></p>` +
  `<p style="${STYLES.url}">${url}</p>`;
const link = (label: string, url: string, margin: number): string =>
  `<p style="margin:${margin}px 0 0"><a href="${url}" style="color:#3a36c8">${label}</a></p>`;

function safe(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('an email may link only to web addresses');
  return href;
}
