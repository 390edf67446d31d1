/** The software bill of materials in the format CycloneDX 1.6, and the notices of third-party licenses. */
import { licenseTexts, type Package, type Supply } from './packages.ts';

export const BILL_FILE = 'sbom.cdx.json';
export const NOTICES_FILE = 'THIRD_PARTY_NOTICES.txt';

const packageUrl = ({ name, version }: Package): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function toComponent(piece: Package, scope: string): object {
  const [group, name] = piece.name.startsWith('@') ? piece.name.split('/') : [null, piece.name];
  const isExpression = /[\s()]/.test(piece.license);
  return {
    type: 'library',
    'bom-ref': packageUrl(piece),
    ...(group ? { group } : {}),
    name,
    version: piece.version,
    scope,
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(piece.integrity.slice('sha512-'.length), 'base64').toString('hex') },
    ],
    licenses: [isExpression ? { expression: piece.license } : { license: { id: piece.license } }],
    purl: packageUrl(piece),
  };
}

/**
 * Packages for building and testing are listed as excluded. The text has no time, so it changes only with the lockfile.
 */
export function billOfMaterials({ version, packages, direct }: Supply): string {
  const urls = new Map(packages.map((piece) => [piece.path, packageUrl(piece)]));
  const refs = (paths: readonly string[]) => [...new Set(paths.map((path) => urls.get(path)!))].sort(byText);
  const copies = Map.groupBy(packages, packageUrl);
  const ordered = [...copies].sort(([a], [b]) => byText(a, b));
  const scope = (all: readonly Package[]): string =>
    all.every(({ dev }) => dev) ? 'excluded' : all.every(({ optional }) => optional) ? 'optional' : 'required';
  const root = `pkg:npm/parley@${version}`;
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'parley',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        purl: root,
      },
    },
    components: ordered.map(([, all]) => toComponent(all[0]!, scope(all))),
    dependencies: [
      { ref: root, dependsOn: refs(direct) },
      ...ordered.map(([ref, all]) => ({ ref, dependsOn: refs(all.flatMap(({ uses }) => uses)) })),
    ],
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

const LINE = '-'.repeat(80);

/** Lists the contents of a running Parley. A text that several packages share is printed once. */
export function thirdPartyNotices(root: string, { packages }: Supply): string {
  const shipped = packages.filter(({ dev }) => !dev);
  const byLicense = new Map<string, Set<string>>();
  for (const piece of shipped) {
    // npm does not install the programs for other platforms, so only their license is known.
    const texts = piece.optional ? [] : licenseTexts(root, piece);
    const text = texts.join('\n\n') || `License: ${piece.license}`;
    byLicense.set(text, (byLicense.get(text) ?? new Set()).add(`${piece.name} ${piece.version} (${piece.license})`));
  }
  const sections = [...byLicense].map(([text, names]) => `${[...names].sort(byText).join('\n')}\n\n${text}`);
  const head = 'Parley contains the following third-party packages. `npm run sbom` writes this file.';
  return `${[head, ...sections.sort(byText)].join(`\n\n${LINE}\n`)}\n`;
}
