import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'
import { memoryFolder } from './test/support/memory-folder.ts'
import { reporters } from './test/support/report/closing-reporter.ts'
import { needs } from './test/support/tools.ts'
import { SCRIPT_ALIASES } from './test/support/workers/aliases.ts'

// Hundreds of server processes and threads load the same sources: what Node made of them is kept.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile')
// The texts in the tests have numbers of English; the console and the commands follow the language of the computer.
process.env.LC_ALL = 'C'
// Nothing that tests write must survive.
process.env.TMPDIR ??= memoryFolder()
// Without the console unless a test asks for it: its page would be built by many servers at once.
process.env.TIDEGATE_CONSOLE ??= 'off'

const isOnPostgres = process.env.TIDEGATE_TEST_ENGINE === 'postgres'

/**
 * About the files of SQLite: faults of the disk, copies of the folder, backups, migrations with a copy, and processes that
 * share it.
 */
const ABOUT_FILES = [
  // Copies of the folder; PostgreSQL is backed up by its own tools.
  'test/server/backups/**',
  'test/server/console/settings/backups.test.ts',
  'test/server/outbound/outbox/restored-outbox.test.ts',
  'test/server/web-console/backup-files.test.ts',
  'test/server/web-console/restore.test.ts',
  // Its rows are written by hand; those of PostgreSQL are tested in test/server/storage/postgres.
  'test/server/fleet/upkeep/check-in-retention.test.ts',
  'test/server/fleet/upkeep/device-retention.test.ts',
  // The same by commands, and migrations with a copy.
  'test/server/cli/data/backup.test.ts',
  'test/server/cli/serve/serve-restore.test.ts',
  'test/server/cli/data/upgrade.test.ts',
  // A file that is gone or shared, and a disk that is full.
  'test/server/http/status/database-gone.test.ts',
  'test/server/http/status/full-disk.test.ts',
  'test/server/use-cases/plan-faults.test.ts',
]

/** About SQLite, or about what both engines share: they choose their engine themselves. */
const ABOUT_ENGINES = filesWith(/^/, 'test/server/storage/**/*.test.ts')

/** Every test of them needs PostgreSQL. */
const NEED_POSTGRES = filesWith(/^\/\/ @module-tag postgresql$/m)

/** Floods, fuzzing, simulated fleets, real updaters on large files, all rights of all roles: few tests, a third of the time. */
const LONG = filesWith(/^\/\/ @module-tag long$/m)

/** They run a program, a command or a server in a process of its own, and take half of the time of all. */
const STARTS_PROGRAMS = filesWith(
  /from '(?:node:child_process'|[./]+\/support\/(?:tools|processes\/(?:cli|commands|fixture|server-process)|(?:docs|ci|systemd)\/.+)\.ts')/,
)

/** Returns the test files in which the pattern occurs. */
function filesWith(pattern: RegExp, glob = 'test/**/*.test.ts'): string[] {
  const files = globSync(glob, {
    cwd: import.meta.dirname,
    exclude: ['test/{e2e,nodes,node_modules}/**'],
  })
  return files.filter((file) => pattern.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
}

function notOnPostgres(): string[] {
  const needed = new Set(NEED_POSTGRES)
  return [...ABOUT_FILES, ...ABOUT_ENGINES.filter((file) => !needed.has(file))]
}

/** The files that run in place of those of `npm test`. */
const PARTS: Record<string, string[]> = {
  programs: STARTS_PROGRAMS.filter((file) => !LONG.includes(file)),
  long: LONG,
}
const part = process.env.TIDEGATE_TEST_PART
/** Files and folders that are named run whatever they start. */
const isForFiles = process.argv.some((argument) => /^test\/|\.test\.ts$/.test(argument))

const VARIABLES = [
  isOnPostgres ? 'TIDEGATE_TEST_ENGINE=postgres ' : '',
  part === undefined ? '' : `TIDEGATE_TEST_PART=${part} `,
].join('')

/** It names source maps that it does not have, and Vite would warn about each. */
const WORKFLOW_PARSER = /\/@actions\/workflow-parser\/.*\.js$/

const { tags: _, ...withoutPostgres } = process.env.CI ? {} : needs('postgresql')

export default defineConfig({
  plugins: [
    {
      name: 'without-missing-source-maps',
      load: {
        filter: { id: WORKFLOW_PARSER },
        handler: (id) => readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
      },
    },
  ],
  resolve: { alias: SCRIPT_ALIASES },
  test: {
    include:
      part === undefined
        ? [isOnPostgres ? 'test/{server,client,fuzz}/**/*.test.ts' : 'test/**/*.test.ts']
        : (PARTS[part] ?? []),
    exclude: [
      ...['test/e2e/**', 'test/nodes/**', '**/node_modules/**'],
      ...(part !== undefined || isForFiles || isOnPostgres
        ? []
        : [...STARTS_PROGRAMS, ...NEED_POSTGRES, ...LONG]),
      ...(isOnPostgres ? notOnPostgres() : []),
    ],
    setupFiles: ['test/support/setup.ts'],
    tags: [
      // All tests of the file need it. Where it must not be missing, they fail without it.
      { name: 'postgresql', ...(isOnPostgres || process.env.CI ? {} : withoutPostgres) },
      { name: 'long' },
      // What `npm run test:bare` skips for want of a tool (see `needs`), or of the rights of root.
      { name: 'tool' },
      { name: 'root' },
    ],
    reporters: reporters(`${VARIABLES}npm run test:failed`),
    // The report lists files: it ends with the slowest ones.
    slowTestThreshold: Number.MAX_SAFE_INTEGER,
    globalSetup: ['test/support/postgres/run-folder.ts', 'test/support/workers/bundle.ts'],
    // Bounds for what never comes, not for what is slow: the computer may be busy with something else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000, interval: 5 } },
    // It imports JSON without saying so, which Node refuses.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // The identity provider of the tests says at each start that it is not set up for production.
    onConsoleLog: (log) => !log.startsWith('oidc-provider '),
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // No module keeps state of its own, and to load every module anew for each file takes a third of the time.
    isolate: false,
    // Two more than cores: some tests wait for processes, databases and timeouts. Each loads all modules.
    maxWorkers: availableParallelism() + 2,
  },
})
