import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { cleanUpFile } from './after-file.ts'
import { explainTimeout } from './report/timeouts.ts'

// All files of a worker share one process: what a file changes in it, the next one would see.
let before: ReturnType<typeof processState>

beforeAll(() => {
  before = processState()
})

beforeEach(({ signal }) => explainTimeout(signal))

afterAll(async () => {
  await cleanUpFile()
  const after = processState()
  expect(after, 'the tests of this file leave the process changed').toEqual(before)
})

function processState() {
  const umask = process.umask(0)
  process.umask(umask)
  return {
    cwd: process.cwd(),
    umask,
    fakeTimers: vi.isFakeTimers(),
    environment: { ...process.env },
    listeners: Object.fromEntries(
      process
        .eventNames()
        // The logger listens for the exit from its first use on.
        .filter((name) => name !== 'exit')
        .map((name) => [String(name), process.listenerCount(name)]),
    ),
  }
}
