import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFirst } from '../support/long-first.ts'
import { memoryFolder } from '../support/memory-folder.ts'
import { reporters } from '../support/report/closing-reporter.ts'
import { SCRIPT_ALIASES } from '../support/workers/aliases.ts'

const ROOT = resolve(import.meta.dirname, '../..')

// Every app starts two processes and threads of the same sources: what Node made of them is kept.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/node-compile')
// Nothing that tests write must survive.
process.env.TMPDIR ??= memoryFolder()
// Without the console unless a test asks for it: its page would be built by many servers at once.
process.env.TIDEGATE_CONSOLE ??= 'off'

const SPECS = 'test/e2e/**/*.spec.ts'

/** What a browser does not have: the desktop app around the page, and what holds for it alone. */
const DESKTOP_ONLY = [
  'test/e2e/database-gone.spec.ts',
  'test/e2e/desktop-*.spec.ts',
  'test/e2e/hosting.spec.ts',
  'test/e2e/preview.spec.ts',
  'test/e2e/remote-servers*.spec.ts',
  'test/e2e/roles.spec.ts',
  'test/e2e/security*.spec.ts',
  'test/e2e/server-process.spec.ts',
  'test/e2e/settings*.spec.ts',
  'test/e2e/shell-*.spec.ts',
]

/**
 * Screens that run in the desktop app, too, where calls and subscriptions take another way: queries, changes, what others
 * change, and errors. All others do with `--all`.
 */
const IN_BOTH = ['test/e2e/release-steps.spec.ts']

/** What is about SQLite: backups, notifications of backups, and the server of the package, which is started without a database of its own. */
const ABOUT_SQLITE = [
  'test/e2e/browser-backups.spec.ts',
  'test/e2e/browser-npm-package.spec.ts',
  'test/e2e/demo*.spec.ts',
  'test/e2e/file-backups.spec.ts',
  'test/e2e/million.spec.ts',
  'test/e2e/toasts.spec.ts',
]

const isOnPostgres = process.env.TIDEGATE_TEST_ENGINE === 'postgres'

/** What the desktop app does not have. */
const BROWSER_ONLY = 'test/e2e/browser-*.spec.ts'

/** Everything, also in the desktop app: minutes more, for before a release. */
const isAll = process.env.E2E_ALL === '1'

/**
 * What takes long for what it adds: screens and settings at a size, with large files, behind every proxy, with a bucket, with
 * several nodes or in a theme, and every write with every fault, of which other tests show one case; lists, filters and
 * forms whose rules the tests of the console's calls show; rules of other operating systems, of windows and of starting
 * again after a crash, and Sentry's SDK, of which unit tests show the rules; and the npm package.
 */
const LONG = [
  'archived-app',
  'axe-dialogs',
  'browser-backups',
  'browser-database-lost',
  'browser-email',
  'browser-firefox',
  'browser-hosting',
  'browser-nodes',
  'browser-npm-package',
  'browser-proxies',
  'browser-writes',
  'bucket',
  'calendar',
  'compare',
  'demo*',
  'device-filters',
  'device-layout',
  'device-links',
  'early-access',
  'email',
  'file-backups',
  'hosting',
  'import',
  'key-scopes',
  'loading',
  'many-apps',
  'million',
  'notes',
  'policy-conflict',
  'preview',
  'releases-empty',
  'releases-list',
  'remote-servers-axe',
  'roles',
  'search',
  'settings-*',
  'shell-login',
  'shell-platforms',
  'shell-recovery',
  'shell-server',
  'shell-unsaved',
  'shell-window',
  'targets',
  'time-zone',
  'unsaved-address',
  'webhooks',
  '../electron-double/sentry',
].map((name) => join('test/e2e', `${name}.spec.ts`))

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration so.
export default defineConfig({
  root: ROOT,
  resolve: { alias: SCRIPT_ALIASES },
  test: {
    // Each spec runs apps of its own, on folders and ports of their own. Some wait for what takes its time.
    maxWorkers: availableParallelism() + 1,
    // The files of a worker share its modules and its browser.
    isolate: false,
    sequence: { sequencer: LongFirst },
    globalSetup: ['test/support/postgres/run-folder.ts', 'test/support/workers/bundle.ts'],
    setupFiles: ['test/e2e/support/after-failure.ts'],
    // See `needs`.
    tags: [{ name: 'tool' }],
    reporters: reporters('npm run test:e2e -- --lastFailed'),
    slowTestThreshold: Number.MAX_SAFE_INTEGER,
    // Bounds for what never comes, not for what is slow: the machine may be busy with something else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: [SPECS],
          exclude: [...DESKTOP_ONLY, ...(isAll ? [] : LONG), ...(isOnPostgres ? ABOUT_SQLITE : [])],
          env: { E2E_CONSOLE: 'browser' },
        },
      },
      {
        extends: true,
        test: {
          name: 'desktop',
          include: [
            ...(isAll ? [SPECS] : [...DESKTOP_ONLY, ...IN_BOTH]),
            'test/electron-double/*.spec.ts',
          ],
          exclude: [BROWSER_ONLY, ...(isAll ? [] : LONG)],
        },
      },
    ],
  },
})
