import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reporters } from '../support/report/closing-reporter.ts'

// Without the console unless a test asks for it: its page would be built by many servers at once.
process.env.TIDEGATE_CONSOLE ??= 'off'

const SPECS = 'test/e2e/**/*.spec.ts'

/** What a browser does not have: the desktop app around the page, and what holds for it alone. */
const DESKTOP_ONLY = [
  'test/e2e/database-gone.spec.ts',
  'test/e2e/demo*.spec.ts',
  'test/e2e/hosting.spec.ts',
  'test/e2e/preview.spec.ts',
  'test/e2e/remote-servers*.spec.ts',
  'test/e2e/roles.spec.ts',
  'test/e2e/security*.spec.ts',
  'test/e2e/server-process.spec.ts',
  'test/e2e/settings*.spec.ts',
  'test/e2e/shell-*.spec.ts',
]

/** What is about SQLite: backups, notifications of backups, and the server of the package, which is started without a database of its own. */
const ABOUT_SQLITE = [
  'test/e2e/browser-backups.spec.ts',
  'test/e2e/browser-npm-package.spec.ts',
  'test/e2e/file-backups.spec.ts',
  'test/e2e/toasts.spec.ts',
]

const isOnPostgres = process.env.TIDEGATE_TEST_ENGINE === 'postgres'

/** What the desktop app does not have. */
const BROWSER_ONLY = 'test/e2e/browser-*.spec.ts'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration so.
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    // Each spec runs apps of its own, on folders and ports of their own.
    maxWorkers: availableParallelism(),
    globalSetup: ['test/support/postgres/run-folder.ts'],
    setupFiles: ['test/e2e/support/after-failure.ts'],
    reporters: reporters('npm run test:e2e -- --lastFailed'),
    slowTestThreshold: Number.MAX_SAFE_INTEGER,
    // Bounds for what never comes, not for what is slow: the machine may be busy with something else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'desktop',
          include: [SPECS, 'test/electron-double/*.spec.ts'],
          exclude: [BROWSER_ONLY],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [SPECS],
          exclude: [...DESKTOP_ONLY, ...(isOnPostgres ? ABOUT_SQLITE : [])],
          env: { E2E_CONSOLE: 'browser' },
        },
      },
    ],
  },
})
