/** The third-party packages in the lockfile, with their licenses and dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: unknown;
  cpu?: unknown;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Package {
  /** Its folder, which is also its key in the lockfile. */
  path: string;
  name: string;
  version: string;
  integrity: string;
  license: string;
  /** Used only to build and test. */
  dev: boolean;
  /** True if npm may skip the package, for example on other platforms. */
  optional: boolean;
  hasInstallScript: boolean;
  /** The folders of the packages that it uses. */
  uses: string[];
}

export interface Supply {
  version: string;
  packages: Package[];
  /** The folders of the packages that Parley itself uses. */
  direct: string[];
  /** Packages that do not come from the registry with a checksum, which is an error. */
  unverified: string[];
}

export function readSupply(root: string): Supply {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    version: string;
    packages: Record<string, Locked>;
  };
  const entries = Object.entries(lock.packages);
  const paths = new Set(Object.keys(lock.packages));
  const third = entries.filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const own = entries.filter(([path]) => !path.includes('node_modules/'));
  const isOwn = (path: string) => lock.packages[path]?.link === true;
  const uses = (path: string, entry: Locked) => resolveUses(paths, path, entry).filter((used) => !isOwn(used));
  return {
    version: lock.version,
    packages: third.map(([path, entry]) => toPackage(root, path, entry, uses(path, entry))),
    direct: [...new Set(own.flatMap(([path, entry]) => uses(path, entry)))].sort(),
    unverified: third
      .filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined)
      .map(([path]) => path),
  };
}

const packageName = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Packages that state their license only in a file. */
const FILE_LICENSES: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'png-js': 'MIT',
};

function toPackage(root: string, path: string, entry: Locked, uses: string[]): Package {
  return {
    path,
    name: packageName(path),
    version: entry.version ?? '',
    integrity: entry.integrity ?? '',
    license: FILE_LICENSES[packageName(path)] ?? entry.license ?? statedLicense(root, path),
    dev: entry.dev === true || entry.devOptional === true,
    optional: entry.optional === true || entry.devOptional === true,
    hasInstallScript: entry.hasInstallScript === true,
    uses,
  };
}

/** Old packages state their license in another form, which the lockfile omits. */
function statedLicense(root: string, path: string): string {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return '';
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
    license?: string | { type?: string };
    licenses?: { type?: string }[];
  };
  return (typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type)) ?? '';
}

/** Node looks for a package in the folder of the user first, then in the folders above. */
function resolveUses(paths: ReadonlySet<string>, path: string, entry: Locked): string[] {
  const names = Object.keys({
    ...entry.dependencies,
    ...entry.optionalDependencies,
    ...entry.peerDependencies,
    ...(path.includes('node_modules/') ? {} : entry.devDependencies),
  });
  const found = names.map((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
      const candidate = `${folder ? `${folder}/` : ''}node_modules/${name}`;
      if (paths.has(candidate)) return candidate;
      if (!folder.includes('node_modules/')) return paths.has(`node_modules/${name}`) ? `node_modules/${name}` : null;
    }
  });
  return found.filter((used) => used !== null).sort();
}

/** The texts of the license and the notices in the package. */
export function licenseTexts(root: string, { path }: Package): string[] {
  const folder = join(root, path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)(?!.*\.(?:js|ts|json)$)/i.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/\r\n?/g, '\n').trim());
}
