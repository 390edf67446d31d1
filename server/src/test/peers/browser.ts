/**
 * Imitates a browser's HTTP behavior: keeps cookies by host and path, follows redirects one by one, and submits forms.
 */
interface Cookie {
  host: string;
  path: string;
  name: string;
  value: string;
}

export class Browser {
  cookies: Cookie[] = [];

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { hostname, pathname } = new URL(url);
    const cookie = this.cookies
      .filter(
        ({ host, path }) => host === hostname && (pathname === path || pathname.startsWith(path.replace(/\/?$/, '/'))),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const text of response.headers.getSetCookie()) this.storeCookie(hostname, text);
    return response;
  }

  submit(url: string, form: Record<string, string>): Promise<Response> {
    const { origin } = new URL(url);
    return this.open(url, { method: 'POST', body: new URLSearchParams(form), headers: { origin } });
  }

  /** Follows redirects while `through` accepts their URL. Returns the last URL and the last response. */
  async follow(
    url: string,
    response: Response,
    isAllowed: (url: URL) => boolean,
  ): Promise<{ url: string; response: Response }> {
    let last = response;
    let at = url;
    for (let hops = 0; hops < 8; hops++) {
      const location = last.headers.get('location');
      if (!location) return { url: at, response: last };
      at = new URL(location, at).href;
      if (!isAllowed(new URL(at))) return { url: at, response: last };
      last = await this.open(at);
    }
    throw new Error(`too many redirects: ${at}`);
  }

  private storeCookie(host: string, text: string): void {
    const [pair = '', ...attributes] = text.split('; ');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const readAttribute = (key: string) =>
      attributes.find((attribute) => attribute.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1) ?? null;
    const path = readAttribute('path') ?? '/';
    this.cookies = this.cookies.filter(
      (cookie) => cookie.host !== host || cookie.name !== name || cookie.path !== path,
    );
    if (value !== '' && readAttribute('max-age') !== '0') this.cookies.push({ host, path, name, value });
  }
}
