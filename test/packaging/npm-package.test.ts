import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join } from 'node:path'
import { satisfies } from 'semver'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bundle } from '../../build/npm/bundle.ts'
import { compile } from '../../build/npm/compile.ts'
import { npmManifest, OLDEST_NODE } from '../../build/npm/manifest.ts'
import { lockedPackages } from '../../build/npm/production-packages.ts'
import { productionSbom } from '../../build/npm/sbom.ts'
import manifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/builders/folders.ts'
import { readPage } from '../support/docs/page.ts'

const ROOT = join(import.meta.dirname, '../..')
const packaged = npmManifest(ROOT)

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      engines: z.object({ node: z.string().optional() }).optional(),
    }),
  ),
})

test('the package depends on what the server needs, and on no Node', () => {
  const { node: _, ...needed } = manifest.dependencies
  expect(packaged.dependencies).toMatchObject(needed)
  const more = Object.keys(packaged.dependencies).filter((name) => !(name in needed))
  expect(more).toEqual(['node-addon-api'])
  expect(packaged).toMatchObject({ version: manifest.version, license: 'MIT' })
  for (const absent of ['private', 'scripts', 'devDependencies', 'overrides']) {
    expect(packaged).not.toHaveProperty(absent)
  }
})

test('all but the database is in the package, with what it needs in the versions of the lock file', () => {
  const { dependencies, bundleDependencies } = packaged
  const fetched = lockedPackages(ROOT, ['better-sqlite3'])
  expect(fetched.map(({ path }) => path)).toEqual(
    ['better-sqlite3', 'node-addon-api'].map((name) => `node_modules/${name}`),
  )
  for (const { path, version } of fetched) {
    const name = path.slice('node_modules/'.length)
    expect([dependencies[name], bundleDependencies.includes(name)]).toEqual([version, false])
  }
  const bundled = lockedPackages(ROOT, bundleDependencies).map(({ path }) => path)
  expect(bundled).toEqual(
    expect.arrayContaining(['node_modules/qs', 'node_modules/express/node_modules/cookie']),
  )
})

test('what a bundled package can do without is neither bundled nor installed', () => {
  const folder = temporaryFolder()
  bundle(['@tus/server'], ROOT, folder)
  const modules = join(folder, 'node_modules')
  const bundled = readFileSync(join(modules, '@tus/server/package.json'), 'utf8')
  expect(JSON.parse(bundled)).not.toHaveProperty('optionalDependencies')
  expect(existsSync(join(modules, '@tus/utils/package.json'))).toBe(true)
  expect([existsSync(join(modules, 'ioredis')), existsSync(join(modules, '@redis'))]).toEqual([
    ...[false, false],
  ])
})

test('the server is compiled with the script of every thread beside it, and imports only what is installed', async () => {
  const folder = temporaryFolder()
  await compile(ROOT, folder)
  const files = readdirSync(folder)
  const threads = globSync('src/server/**/*-worker.ts', { cwd: ROOT })
  const scripts = ['cli.js', ...threads.map((path) => `${basename(path, '.ts')}.js`)]
  expect(files).toEqual(expect.arrayContaining(scripts))
  const imported = files.flatMap((file) => {
    const code = readFileSync(join(folder, file), 'utf8')
    const found = code.matchAll(/^(?:import|export) .*from "([^"]+)"|\bimport\("([^"]+)"\)/gm)
    return [...found].map(([, name, lazily]) => name ?? lazily ?? '')
  })
  const missing = [...new Set(imported)].filter((name) => {
    if (name.startsWith('./')) return !files.includes(name.slice(2))
    const [first = '', second] = name.split('/')
    const isOurs = (first.startsWith('@') ? `${first}/${second}` : first) in packaged.dependencies
    return !(isOurs || isBuiltin(name))
  })
  expect(missing).toEqual([])
})

test('every production package of the lock file is in the SBOM, which is the same each time', () => {
  const sbom = productionSbom(ROOT)
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: manifest.name, version: manifest.version } },
  })
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  const needed = productionPaths().map((path) => `${nameOf(path)}@${packages[path]?.version}`)
  const named = sbom.components.map(({ name, version }) => `${name}@${version}`)
  expect(new Set(named)).toEqual(new Set(needed))
  expect(productionSbom(ROOT)).toEqual(sbom)
})

test('the documentation lists every production package with the one that brings it', () => {
  const [, section = ''] = readPage('docs/security.md').split('\n## Packages\n')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const cells = rows.map((row) => row.split('|').slice(1, -1))
  const codes = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  const direct = cells.map(([first]) => codes(first))
  expect(direct.flat().toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted())
  const rest = new Set(productionPaths())
  for (const path of direct.flat()) rest.delete(`node_modules/${path}`)
  for (const [index, names] of direct.entries()) {
    const brought = lockedPackages(ROOT, names, { withOptional: true })
      .map(({ path }) => path)
      .filter((path) => rest.delete(path))
    const [, , number, listed] = cells[index] ?? []
    expect([names, Number(number)]).toEqual([names, names.length + brought.length])
    const patterns = codes(listed)
    const isOf = (name: string, pattern: string) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
    const found = brought.map(nameOf)
    expect(found.filter((name) => !patterns.some((pattern) => isOf(name, pattern)))).toEqual([])
    expect(patterns.filter((pattern) => !found.some((name) => isOf(name, pattern)))).toEqual([])
  }
  expect([...rest]).toEqual([])
})

/** Where the lock file places what is not for development only. */
function productionPaths(): string[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => path)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

test('every dependency supports the oldest Node', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  )
  expect(needed.length).toBeGreaterThan(50)
  const unsupported = needed.filter(
    ([, { engines }]) => !satisfies(OLDEST_NODE, engines?.node ?? '*'),
  )
  expect(unsupported.map(([path]) => path)).toEqual([])
})

/** Runs the command of the package as a Node of that version would; nothing else of the package is there. */
function runOn(version: string) {
  const folder = temporaryFolder()
  cpSync(join(ROOT, 'build/npm/bin/tidegate.cjs'), join(folder, 'bin/tidegate.cjs'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packaged))
  writeFileSync(join(folder, 'bin/start.cjs'), "console.log('started')")
  const older = join(folder, 'older.cjs')
  writeFileSync(
    older,
    `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
  )
  const args = ['--require', older, join(folder, 'bin/tidegate.cjs'), 'serve']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test.each(['8.17.0', '18.20.8', '22.14.0'])('Node %s is told in one line to be too old', (old) => {
  expect(runOn(old)).toEqual({
    status: 1,
    stdout: '',
    stderr: `Tidegate needs Node ${OLDEST_NODE} or later, and this is Node ${old}. Install a newer Node.\n`,
  })
})

test.each(['22.15.0', '22.20.1', '24.0.0', '26.1.0'])('Node %s starts it', (recent) => {
  expect(runOn(recent)).toEqual({ status: 0, stdout: 'started\n', stderr: '' })
})
