import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import * as vite from 'vite'
import type { TestProject } from 'vitest/node'
import { absentTools } from '../tools.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const BUILT = join(ROOT, 'node_modules/.cache/test-scripts')
/** Milliseconds after which a build of other sources is removed: nothing runs with it any more. */
const LIFETIME = 86_400_000

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled scripts. */
    readonly scripts: string
  }
}

/** The scripts of worker threads, and the programs that tests run as processes. */
const SCRIPTS = [
  'src/server/**/*-worker.ts',
  'src/server/{cli,compose/server-process/server-process}.ts',
  'test/support/workers/thread-host.ts',
  'test/support/processes/command-host.ts',
  'test/support/processes/fixtures/*.ts',
]

/** All that the scripts are made of. */
const SOURCES = [
  'src/{remote,server,shared}/**/*.ts',
  'test/support/{processes,workers}/**/*.ts',
  'test/server/storage/sqlite/fleet/database/contract/subject.ts',
  'package.json',
  '{.,test}/package-lock.json',
]

/**
 * Bundles what runs on threads and in processes, as the build does: to load the sources anew in each takes longer than
 * most tests.
 */
// biome-ignore lint/style/noDefaultExport: Vitest calls it so.
export default async function bundleScripts(project: TestProject): Promise<void> {
  project.provide('scripts', await bundle())
  project.onTestsRerun(async () => project.provide('scripts', await bundle()))
}

/** Returns a folder that is named for the sources of what is in it: several runs use it, and Node keeps what it made of a script by its path. */
async function bundle(): Promise<string> {
  const sources = globSync(SOURCES, { cwd: ROOT }).sort()
  const hash = createHash('sha256').update(JSON.stringify(absentTools()))
  for (const path of sources) hash.update(path).update(readFileSync(join(ROOT, path)))
  const folder = join(BUILT, hash.digest('hex').slice(0, 16))
  mkdirSync(BUILT, { recursive: true })
  removeOld(folder)
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  const draft = mkdtempSync(join(BUILT, 'draft-'))
  // Some tests run them as another user.
  chmodSync(draft, 0o755)
  for (const file of await build(new Set(sources))) {
    writeFileSync(join(draft, file.fileName), file.type === 'chunk' ? file.code : file.source)
  }
  writeFileSync(join(draft, 'package.json'), '{"type":"module"}')
  try {
    renameSync(draft, folder)
  } catch {
    // Another run has just built the same.
    rmSync(draft, { recursive: true })
  }
  return folder
}

/** Throws if a script is made of something else than the sources and packages. */
async function build(sources: ReadonlySet<string>) {
  const scripts = globSync(SCRIPTS, { cwd: ROOT })
  const built = await vite.build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      write: false,
      rolldownOptions: {
        input: Object.fromEntries(scripts.map((path) => [basename(path, '.ts'), join(ROOT, path)])),
        // A script whose package is not installed is of a test that is skipped.
        external: absentTools(),
        output: { chunkFileNames: '[name]-[hash].js' },
        // Those are for processes that do not need everything at their start.
        checks: { ineffectiveDynamicImport: false },
      },
    },
  })
  if (Array.isArray(built) || !('output' in built))
    throw new Error('The build has no single output')
  const modules = built.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const own = modules
    .map((id) => relative(ROOT, id))
    .filter((id) => /^(src|test)\/(?!node_modules)/.test(id))
  const missing = own.find((path) => !sources.has(path))
  if (missing !== undefined) throw new Error(`SOURCES lacks ${missing}`)
  return built.output
}

function removeOld(current: string): void {
  for (const name of readdirSync(BUILT)) {
    const path = join(BUILT, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (path !== current && age > LIFETIME) rmSync(path, { recursive: true, force: true })
  }
}
