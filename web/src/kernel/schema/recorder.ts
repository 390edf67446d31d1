/**
 * Takes the place of zod in the web app (`alias` in vite.config.ts). Most pages never evaluate a schema: they only need
 * an endpoint's path. This `z` records how the contract builds its schemas, and zod (25 KiB) builds a schema when it is
 * first evaluated. Files that evaluate schemas import rules.ts, which provides zod.
 */
type Build = () => unknown;
type Target = Readonly<Record<PropertyKey, unknown>>;

let zod: Target | null = null;
export function provideZod(functions: Target): void {
  zod = functions;
}

/** Methods that evaluate a schema. Everything else builds one. */
const EVALUATING: ReadonlySet<PropertyKey> = new Set(['parse', 'safeParse']);

const builds = new WeakMap<object, Build>();

function record(create: Build): object {
  let value: unknown;
  let isBuilt = false;
  const build: Build = () => {
    if (!isBuilt) value = create();
    isBuilt = true;
    return value;
  };
  const recorded = new Proxy(() => {}, {
    get: (_, key) => {
      if (EVALUATING.has(key)) return ((build() as Target)[key] as () => unknown).bind(build());
      // Promises and React ask every value for symbols and for `then`.
      return typeof key === 'symbol' || key === 'then' ? undefined : recordMember(build, key);
    },
  });
  builds.set(recorded, build);
  return recorded;
}

/** A member is a value, such as `z.coerce`, or a method, such as `z.string`. */
function recordMember(build: Build, key: string): object {
  const value = record(() => (build() as Target)[key]);
  const member = new Proxy(() => {}, {
    get: (_, inner) => (value as Target)[inner],
    apply: (_, _self, args: unknown[]) =>
      record(() => {
        const owner = build() as Record<string, (...values: unknown[]) => unknown>;
        return owner[key]!(...args.map(replay));
      }),
  });
  builds.set(member, builds.get(value)!);
  return member;
}

/** Replaces recorded schemas by built ones, also inside the lists and shapes that are passed to zod. */
function replay(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
  const build = builds.get(value);
  if (build) return build();
  if (Array.isArray(value)) return value.map(replay);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replay(inner)]));
}

export const z = record(() => {
  if (!zod) throw new Error('A file that evaluates a schema must import kernel/schema/rules.ts');
  return zod;
});
