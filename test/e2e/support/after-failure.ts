import { afterEach, beforeAll, beforeEach } from 'vitest'
import { explainTimeout } from '../../support/report/timeouts.ts'
import { openedConsoles, startOver } from './console.ts'

beforeEach(({ signal }) => explainTimeout(signal))

// The files of a worker share this list.
beforeAll(() => {
  openedConsoles.length = 0
})

// A test that fails can leave a dialog open or a form that asks before it is left: no other test of its file fails for
// that. What is closed by then cannot be loaded, and need not be.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const opened of openedConsoles) await startOver(opened).catch(() => {})
})
