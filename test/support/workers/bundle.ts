import { createHash } from 'node:crypto'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
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

/**
 * Bundles what runs on threads and in processes, as the build does: to load the sources anew in each takes longer than
 * most tests.
 */
// biome-ignore lint/style/noDefaultExport: Vitest calls it so.
export default async function bundleScripts(project: TestProject): Promise<void> {
  project.provide('scripts', await bundle())
  project.onTestsRerun(async () => project.provide('scripts', await bundle()))
}

/** Returns a folder that is named for what is in it: Node keeps what it made of a script by its path. */
async function bundle(): Promise<string> {
  const scripts = globSync(SCRIPTS, { cwd: ROOT })
  const input = Object.fromEntries(scripts.map((path) => [basename(path, '.ts'), join(ROOT, path)]))
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      write: false,
      rolldownOptions: {
        input,
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
  const files = built.output.map((file) => {
    return [file.fileName, file.type === 'chunk' ? file.code : file.source] as const
  })
  const hash = createHash('sha256')
  for (const [name, content] of files) hash.update(name).update(content)
  const folder = join(BUILT, hash.digest('hex').slice(0, 16))
  mkdirSync(BUILT, { recursive: true })
  removeOld(folder)
  const draft = mkdtempSync(join(BUILT, 'draft-'))
  // Some tests run them as another user.
  chmodSync(draft, 0o755)
  for (const [name, content] of files) writeFileSync(join(draft, name), content)
  writeFileSync(join(draft, 'package.json'), '{"type":"module"}')
  try {
    renameSync(draft, folder)
  } catch {
    // It is there already, with the same content.
    rmSync(draft, { recursive: true })
  }
  return folder
}

function removeOld(current: string): void {
  for (const name of readdirSync(BUILT)) {
    const path = join(BUILT, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (path !== current && age > LIFETIME) rmSync(path, { recursive: true, force: true })
  }
}
