// Bundles src/ into dist/: index.html, one script, one style sheet, and the licences of what is in them.
import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const LIBRARIES = ['three', 'urdf-loader', 'uplot'];

mkdirSync('dist', { recursive: true });
await build({
  entryPoints: { view: 'src/main.js', style: 'src/style.css' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022'],
  legalComments: 'none',
  logLevel: 'warning',
});
for (const file of ['index.html', 'icon.svg']) copyFileSync(`src/${file}`, `dist/${file}`);
writeFileSync('dist/LICENSES.txt', LIBRARIES.map(licence).join('\n\n'));
writeFileSync('dist/SOURCES.txt', sources().map(sum).join(''));

// what the bundle was made from, so that a test can tell when it was forgotten (as sha256sum writes)
function sources() {
  return [
    'build.mjs',
    'package-lock.json',
    ...readdirSync('src')
      .sort()
      .map((file) => `src/${file}`),
  ];
}

function sum(file) {
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}\n`;
}

function licence(name) {
  const folder = `node_modules/${name}`;
  const about = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const title = `${name} ${about.version}, ${about.license}`;
  return `${title}\n${'='.repeat(title.length)}\n\n${text(folder, about.license)}`;
}

function text(folder, kind) {
  if (kind === 'Apache-2.0') {
    // its package has no licence file: the notice is in its README, the text is mbdyn's own licence
    const notice = readFileSync(`${folder}/README.md`, 'utf8').split('# LICENSE')[1].trim();
    const plain = notice.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    return `${plain}\n\n${readFileSync('../LICENSE', 'utf8').trim()}\n`;
  }
  return `${readFileSync(`${folder}/LICENSE`, 'utf8').trim()}\n`;
}
