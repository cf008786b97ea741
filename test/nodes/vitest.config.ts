import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { reporters } from '../support/report/closing-reporter.ts'

/** Several nodes on a PostgreSQL of their own, with everything that can fail: they need the machine for themselves. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/nodes/**/*.test.ts'],
    exclude: [],
    reporters: reporters('npm run test:nodes -- --lastFailed'),
    testTimeout: 180_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
})
