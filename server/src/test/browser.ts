/** A browser as far as HTTP goes: keeps cookies by host and path, follows redirects one at a time, sends forms. */
interface Kept {
  host: string;
  path: string;
  name: string;
  value: string;
}

export class Browser {
  cookies: Kept[] = [];

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { hostname, pathname } = new URL(url);
    const cookie = this.cookies
      .filter(
        ({ host, path }) => host === hostname && (pathname === path || pathname.startsWith(path.replace(/\/?$/, '/'))),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) };
    const answer = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const text of answer.headers.getSetCookie()) this.keep(hostname, text);
    return answer;
  }

  submit(url: string, form: Record<string, string>): Promise<Response> {
    const { origin } = new URL(url);
    return this.open(url, { method: 'POST', body: new URLSearchParams(form), headers: { origin } });
  }

  /** Redirects are followed while they lead to what `through` fits; the address after them, and the last answer. */
  async follow(
    url: string,
    answer: Response,
    through: (url: URL) => boolean,
  ): Promise<{ url: string; answer: Response }> {
    let last = answer;
    let at = url;
    for (let hops = 0; hops < 8; hops++) {
      const location = last.headers.get('location');
      if (!location) return { url: at, answer: last };
      at = new URL(location, at).href;
      if (!through(new URL(at))) return { url: at, answer: last };
      last = await this.open(at);
    }
    throw new Error(`redirected without end: ${at}`);
  }

  private keep(host: string, text: string): void {
    const [pair = '', ...attributes] = text.split('; ');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const of = (key: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1) ?? null;
    const path = of('path') ?? '/';
    this.cookies = this.cookies.filter((one) => one.host !== host || one.name !== name || one.path !== path);
    if (value !== '' && of('max-age') !== '0') this.cookies.push({ host, path, name, value });
  }
}
