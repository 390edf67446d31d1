/**
 * The documentation of the API as Markdown, for programs and for readers without JavaScript: `/llms.txt` lists its
 * sections, and `/docs/ID.md` is a section. The guides are files, and the other sections are generated from the
 * contract.
 */
import { readFile } from 'node:fs/promises';
import { AREAS } from '@parley/contract/docs/areas.ts';
import { GUIDES, sectionPath } from '@parley/contract/docs/guides.ts';
import { moduleMarkdown } from '@parley/contract/docs/markdown.ts';
import { type Document, type Module, resolveReferences, toModules } from '@parley/contract/docs/openapi.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { brandOrigin, brandText, readHostBrand, requestHost } from './kernel/brand/brand.ts';
import type { Kernel } from './kernel/kernel.ts';

/**
 * `makeDocument` returns the OpenAPI document for customers. It is called on the first request. The texts have the name
 * and the address of the brand that the host name belongs to.
 */
export function mountDocumentation(http: FastifyInstance, kernel: Kernel, makeDocument: () => object): void {
  const { db, config } = kernel;
  const readSite = async ({ hostname }: FastifyRequest) => {
    const brand = await readHostBrand(db, config, requestHost(hostname));
    return { brand, origin: brandOrigin(config, brand) };
  };
  let modules: Module[] | undefined;
  const readModules = () => {
    modules ??= toModules(resolveReferences(makeDocument() as Document));
    return modules;
  };
  http.get('/llms.txt', async (request, reply) => {
    const { brand, origin } = await readSite(request);
    return reply.type('text/plain; charset=utf-8').send(brandText(writeIndex(readModules(), origin), brand));
  });
  http.get('/docs/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    const id = /^([\w-]{1,60})\.md$/.exec(file)?.[1];
    const { brand, origin } = await readSite(request);
    const text = id && ((await readGuide(id, origin)) ?? writeModule(readModules(), id, origin));
    if (!text) throw new Problem('ENDPOINT_NOT_FOUND');
    return reply.type('text/markdown; charset=utf-8').send(brandText(text, brand));
  });
}

async function readGuide(id: string, origin: string): Promise<string | null> {
  if (!GUIDES.some((guide) => guide.id === id)) return null;
  const text = await readFile(new URL(`../guides/${id}.md`, import.meta.url), 'utf8');
  const changes = id === CHANGES ? `\n${await readChanges()}\n` : '';
  return text.replaceAll('{{origin}}', origin) + changes;
}

const CHANGES = 'changes';
const FOR_CLIENTS = '**For API clients**';

/** Returns the changelog entries for API clients, by version. */
async function readChanges(): Promise<string> {
  const text = await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const versions = text.split(/^## /m).slice(1);
  return versions
    .flatMap((version) => {
      const [title = '', ...lines] = version.split('\n');
      const items = lines.join('\n').split(/\n(?=- |\n)/);
      const marked = items.filter((item) => item.startsWith('- ') && item.includes(FOR_CLIENTS));
      if (marked.length === 0) return [];
      return [`### ${title}\n\n${marked.map((item) => item.replace(FOR_CLIENTS, '').trimEnd()).join('\n')}`];
    })
    .join('\n\n');
}

function writeModule(modules: readonly Module[], id: string, origin: string): string | null {
  const module = modules.find((one) => one.id === id);
  return module ? moduleMarkdown(module, origin) : null;
}

function writeIndex(modules: readonly Module[], origin: string): string {
  const link = (id: string, title: string, text: string) =>
    `- [${title}](${origin}${sectionPath(id)})${text && `: ${text}`}`;
  const areas = AREAS.map(({ title, modules: names }) => {
    const lines = names.flatMap((name) => {
      const module = modules.find(({ id }) => id === name);
      return module ? [link(name, module.title, module.text)] : [];
    });
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return [
    '# Parley API',
    '> Send and receive SMS, WhatsApp, and Viber messages, run campaigns, and verify phone numbers.',
    `Base URL: ${origin}/v1. OpenAPI 3.1: ${origin}/v1/openapi.json`,
    `## Guides\n\n${GUIDES.map(({ id, title }) => link(id, title, '')).join('\n')}`,
    ...areas,
    '',
  ].join('\n\n');
}
