import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration so.
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.spec.ts', 'test/electron-double/*.spec.ts'],
    // Each spec runs an app of its own; on a small machine two at once only wait for each other.
    maxWorkers: 1,
    testTimeout: 40_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 100 } },
  },
})
