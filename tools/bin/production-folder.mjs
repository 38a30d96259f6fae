/**
 * `production-folder.mjs <app> <folder>`: the built app, the libraries of this repository that it needs and the packages
 * that they load at run time, laid out as Node resolves them; nothing of the other apps. Which ones npm itself says, from
 * what is installed here, so it needs no network. An image's build stage and a machine without a registry both use it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say, stop } from './say.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What only compilers and debuggers read. */
const unread = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/;
/** Of this repository's own projects: sources, and what tests them. */
const sources = /^(?:src|fixtures|tsconfig\.json|Dockerfile)$/;
const largestListing = 16 * 1024 * 1024;

const [app, target] = process.argv.slice(2);
if (app === undefined || target === undefined) stop('usage: production-folder.mjs <app> <folder>');
if (!existsSync(join(root, 'apps', app, 'dist'))) stop(`apps/${app} is not built.`);
rmSync(target, { recursive: true, force: true });
const packages = packagesOf(`@writ/${app}`);
for (const path of packages) put(path);
say(`${app}: ${packages.length} packages`);

/** Installed packages that the app needs in production, from the root, the app itself among them. */
function packagesOf(workspace) {
  const args = ['ls', '--all', '--parseable', '--omit=dev', '--workspace', workspace];
  const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: largestListing });
  const paths = stdout
    .split('\n')
    .map((path) => relative(root, path))
    .filter((path) => path !== '' && !path.startsWith('..'));
  if (!paths.includes(join('node_modules', workspace))) stop(`npm does not list ${workspace}.`);
  return paths;
}

function put(path) {
  const from = join(root, path);
  if (!lstatSync(from).isSymbolicLink()) return copy(path, () => true);
  const project = relative(root, join(dirname(from), readlinkSync(from)));
  copy(project, (name, depth) => depth > 0 || !sources.test(name));
  const link = join(target, path);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), join(target, project)), link);
}

/** Packages inside a package are listed on their own, so its node_modules stays behind. */
function copy(path, isWanted) {
  const from = join(root, path);
  const filter = (source) => {
    const name = basename(source);
    if (source === from) return true;
    const depth = relative(from, source).split('/').length - 1;
    const isSpec = /\.spec\.js$/.test(name);
    return name !== 'node_modules' && !unread.test(name) && !isSpec && isWanted(name, depth);
  };
  cpSync(from, join(target, path), { recursive: true, filter });
}
