import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// Without the console unless a test asks for it: its page would be built by many servers at once.
process.env.TIDEGATE_CONSOLE ??= 'off'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration so.
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.spec.ts', 'test/electron-double/*.spec.ts'],
    // Each spec runs apps of its own, on folders and ports of their own.
    maxWorkers: availableParallelism(),
    // Bounds for what never comes, not for what is slow: the machine may be busy with something else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
})
