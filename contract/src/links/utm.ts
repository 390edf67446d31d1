/** UTM parameters, by which analytics tools recognize where a visitor came from. They are part of a link's URL. */
export const UTM_PARAMS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmParam = (typeof UTM_PARAMS)[number];
export type UtmParams = Readonly<Record<UtmParam, string>>;

const parse = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null);

/** The parameters in a URL, empty if missing. Null if the text is not a URL. */
export function readUtm(url: string): UtmParams | null {
  const search = parse(url)?.searchParams;
  if (!search) return null;
  const values = UTM_PARAMS.map((name) => [name, search.get(`utm_${name}`) ?? '']);
  return Object.fromEntries(values) as unknown as UtmParams;
}

/** Replaces the given parameters of a URL. An empty value removes its parameter. Other text does not change. */
export function withUtm(url: string, params: Partial<UtmParams>): string {
  const parsed = parse(url);
  if (!parsed) return url;
  const [before = '', ...fragment] = url.split('#');
  const [path = '', ...query] = before.split('?');
  const names = Object.keys(params).map((name) => `utm_${name}`);
  const kept = query
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !names.includes(part.split('=')[0] ?? ''));
  const added = UTM_PARAMS.flatMap((name) => {
    const value = params[name]?.trim() ?? '';
    return value === '' ? [] : [`utm_${name}=${encodeURIComponent(value)}`];
  });
  const search = [...kept, ...added].join('&');
  return `${path}${search === '' ? '' : `?${search}`}${fragment.length === 0 ? '' : `#${fragment.join('#')}`}`;
}
