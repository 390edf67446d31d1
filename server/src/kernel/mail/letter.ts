/**
 * The layout for all emails: HTML and plain text from the same content. Content from outside is escaped here. The brand
 * is chosen when the email is sent.
 */
import { type Brand, brandOrigin, fillName, imagePath } from '../brand/brand.ts';
import type { Config } from '../settings/config.ts';

export interface Letter {
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

/** The colors of the app, for brands without their own color. */
const ACCENT = '#3a36c8';

const STYLES = {
  table: 'width:100%;max-width:560px;margin:0 auto',
  brand: `padding:0 4px 16px;font:${FONT};font-weight:700;font-size:18px;color:#1f1d1a`,
  mark: 'display:inline-block;width:12px;height:12px;margin-right:8px;border-radius:3px',
  code:
    'margin:0 0 16px;padding:16px;background:#f3f1ec;border-radius:8px;text-align:center;' +
    'font:700 28px/1.2 ui-monospace,monospace;letter-spacing:6px',
  button:
    'display:inline-block;padding:12px 24px;border-radius:8px;color:#ffffff;' + 'font-weight:600;text-decoration:none',
  url: 'margin:0;font-size:13px;color:#635e55;word-break:break-all',
};

const plain = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Throws unless all links are web addresses. */
export function letter(words: Letter): { letter: Letter } {
  for (const { url } of [words.action, words.also, ...(words.links ?? [])].filter((one) => one !== undefined))
    safe(url);
  return { letter: words };
}

/** Emails show only pictures that mail programs support. For an SVG, they show the name. */
const MAIL_PICTURES = ['image/png', 'image/jpeg'];

function brandMark(brand: Brand, origin: string, accent: string): string {
  const name = plain(brand.name);
  if (brand.logo_id !== null && MAIL_PICTURES.includes(brand.logo_type ?? ''))
    return `<img src="${plain(origin + imagePath(brand.logo_id))}" alt="${name}" height="32" style="border:0">`;
  return `<span style="${STYLES.mark};background:${accent}"></span>${name}`;
}

/** Links to the installation lead to the brand's domain. */
export function moveToBrand(url: string, config: Pick<Config, 'PUBLIC_URL'>, origin: string): string {
  const home = new URL(config.PUBLIC_URL).origin;
  const href = safe(url);
  return new URL(href).origin === home ? origin + href.slice(home.length) : href;
}

export function renderLetter(
  words: Letter,
  brand: Brand,
  config: Pick<Config, 'PUBLIC_URL'>,
): { html: string; text: string } {
  const origin = brandOrigin(config, brand);
  const accent = brand.palette?.light.accent ?? ACCENT;
  const moved = <L extends { label: string; url: string }>(one: L) => ({
    label: fillName(one.label, brand),
    url: moveToBrand(one.url, config, origin),
  });
  const title = fillName(words.title, brand);
  const paragraphs = words.paragraphs.map((text) => fillName(text, brand));
  const footer = fillName(words.footer, brand);
  const { code } = words;
  const links = (words.links ?? []).map(moved);
  const action = words.action && moved(words.action);
  const also = words.also && moved(words.also);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${plain(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#faf9f7;color:#1f1d1a;font:${FONT}">
<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="${STYLES.table}">
<tr><td style="${STYLES.brand}">${brandMark(brand, origin, accent)}</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #e8e4dc;border-radius:12px;font:${FONT};color:#1f1d1a">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${plain(title)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${plain(text)}</p>`).join('\n')}
${code ? `<p style="${STYLES.code}">${plain(code)}</p>` : ''}
${action ? button(plain(action.label), plain(action.url), accent) : ''}
${links.map(({ label, url }) => link(plain(label), plain(url), 12, accent)).join('\n')}
${also ? link(plain(also.label), plain(also.url), 16, accent) : ''}
</td></tr>
<tr><td style="padding:16px 4px 0;font:${FONT};font-size:13px;color:#635e55">${plain(footer)}</td></tr>
</table></body></html>`.replace(/\n{2,}/g, '\n');
  const text = [
    title,
    ...paragraphs,
    ...(code ? [code] : []),
    ...[...(action ? [action] : []), ...links, ...(also ? [also] : [])].map(({ label, url }) => `${label}: ${url}`),
    `-- \n${footer}`,
  ].join('\n\n');
  return { html, text: `${text}\n` };
}

const button = (label: string, url: string, accent: string): string =>
  `<p style="margin:8px 0 16px"><a href="${url}" style="${STYLES.button};background:${accent}">${label}</a></p>` +
  `<p style="${STYLES.url}">${url}</p>`;
const link = (label: string, url: string, margin: number, accent: string): string =>
  `<p style="margin:${margin}px 0 0"><a href="${url}" style="color:${accent}">${label}</a></p>`;

function safe(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('an email may link only to web addresses');
  return href;
}
