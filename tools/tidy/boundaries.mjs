/**
 * The import table (docs/ARCHITECTURE.md): which layer may import which, and whose a vendor's client is.
 * Nx checks it by the tags in each package.json; every row has a fixture in tools/tidy/fixtures that must fail.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const below = ['contracts', 'core', 'runtime'];
/** Layer → layers of the projects that it may import. */
const layers = {
  contracts: ['contracts'],
  core: ['core', 'contracts'],
  runtime: below,
  adapter: below,
  nest: [...below, 'nest'],
  app: [...below, 'adapter', 'nest'],
  ui: ['contracts'],
  tools: [...below, 'adapter', 'tools'],
  tests: [...below, 'adapter', 'nest', 'tools', 'tests'],
};

/** Layers whose outside packages are a closed list. */
const packagesOfLayer = { contracts: ['zod'], core: [] };

/** A vendor's client → the scopes that may know it. Everybody else goes through a port. */
export const vendors = {
  '@eventstore/*': ['event-store', 'dev-event-store'],
  '@grpc/*': ['dev-event-store'],
  '@modelcontextprotocol/*': ['tool-sdk'],
  '@nestjs/*': ['nest-nats', 'turn-orchestrator', 'tool-executor', 'approval-service'],
  nats: ['messaging', 'bench', 'e2e'],
  openai: ['models', 'e2e'],
  pino: ['service', 'dev-event-store'],
  'pino-pretty': ['service'],
  'prom-client': ['service'],
};

/** Every project of the workspace: folder, layer and scope, as its package.json says. */
export const projects = ['libs', 'apps', 'tools', 'tests']
  .flatMap((folder) => readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`))
  .concat('bench')
  .filter((folder) => existsSync(`${root}${folder}/package.json`))
  .map((folder) => {
    const { nx } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
    const tag = (kind) => nx?.tags?.find((each) => each.startsWith(`${kind}:`))?.slice(kind.length + 1);
    return { folder, layer: tag('layer'), scope: tag('scope') };
  });

const layerRows = Object.entries(layers).map(([layer, allowed]) => ({
  sourceTag: `layer:${layer}`,
  // The Nest transport is made of the broker's adapter: the one adapter that another library may import.
  onlyDependOnLibsWithTags: [
    ...allowed.map((each) => `layer:${each}`),
    ...(layer === 'nest' ? ['scope:messaging'] : []),
  ],
  ...(layer in packagesOfLayer ? { allowedExternalImports: packagesOfLayer[layer] } : {}),
}));

const vendorRows = projects.map(({ scope }) => ({
  sourceTag: `scope:${scope}`,
  bannedExternalImports: Object.keys(vendors)
    .filter((vendor) => !vendors[vendor].includes(scope))
    .flatMap((vendor) => (vendor.endsWith('/*') ? [vendor] : [vendor, `${vendor}/*`])),
}));

/** For `@nx/enforce-module-boundaries`. */
export const depConstraints = [...layerRows, ...vendorRows];

/** Specs may use test packages; where they may look among the projects stays as it is. */
export const specDepConstraints = [
  ...layerRows.map(({ sourceTag, onlyDependOnLibsWithTags }) => ({ sourceTag, onlyDependOnLibsWithTags })),
  ...vendorRows,
];

/** Nothing of Node's own: contracts and the page run in a browser, core runs in the simulation. */
export const layersWithoutNode = ['contracts', 'core', 'ui'];
export const nodeModules = builtinModules.filter((name) => !name.startsWith('_'));
