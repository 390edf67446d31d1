/** Pages for people without an account. They work without scripts, load nothing, and name no product. */
import type { FastifyReply } from 'fastify';

const STYLE = `
:root{color-scheme:light dark;--text:#1f1d1a;--muted:#635e55;--page:#faf9f7;--card:#fff;--line:#e8e4dc;--act:#3a36c8;
--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#edeae4;--muted:#aba59b;--page:#161513;--card:#1e1c1a;--line:#2e2b27;
--act:#a5a8fb;--wrong:#ff8a80}}
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
input,select{width:100%;margin:0 0 16px;padding:13px;font:inherit;color:inherit;background:var(--page);
border:1px solid var(--muted);border-radius:8px}
.wrong{margin:-8px 0 16px;color:var(--wrong)}
a:focus-visible,select:focus-visible,input:focus-visible,button:focus-visible{
outline:3px solid var(--text);outline-offset:2px}
.brand{margin:0 0 4px;font-weight:600;color:var(--text)}
.check{display:grid;grid-template-columns:auto 1fr;gap:10px;margin:0 0 16px;font-weight:400;font-size:15px}
.check input{width:22px;height:22px;margin:2px 0 0}
.hint{margin:-10px 0 16px;font-size:14px}
h1+form{margin-top:20px}
.after{margin:16px 0 0;font-size:14px}
div[role=alert]{margin:0 0 16px;padding:12px 16px;border:1px solid var(--wrong);border-radius:8px}
div[role=alert] p{margin:0}
div[role=alert] ul{margin:4px 0 0;padding-left:20px}
.trap{position:absolute;left:-9999px}
.second{margin-top:12px;color:var(--act);background:none;border:1px solid var(--line)}
a{color:var(--act)}
nav{margin:24px 0 0;font-size:14px;display:flex;flex-wrap:wrap;gap:4px 14px}`;

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

interface Page {
  title: string;
  /** HTML. */
  body: string;
  language?: string;
}

export const publicPage = ({ title, body, language = 'en' }: Page): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;

/** Only these websites may show the page in a frame. */
export function sendPublicPage(
  reply: FastifyReply,
  status: number,
  html: string,
  origins: readonly string[] = [],
): FastifyReply {
  const ancestors = origins.length > 0 ? origins.join(' ') : "'none'";
  if (origins.length > 0) reply.removeHeader('x-frame-options');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; " +
        `frame-ancestors ${ancestors}`,
    )
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(html);
}
