import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration so.
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.spec.ts', 'test/electron-double/*.spec.ts'],
    // Each spec runs apps of its own, on folders and ports of their own.
    maxWorkers: availableParallelism(),
    testTimeout: 40_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 100 } },
  },
})
