import { expect, test } from 'vitest'
import { troubleWords } from '../../src/main/strings.ts'
import type { ServerTrouble } from '../../src/shared/console/server-process.ts'

const problem = { code: 'full', file: '/disk', detail: null } as const

test.each<[ServerTrouble, string, RegExp]>([
  [{ code: 'database_file' }, 'Changes cannot be saved', /was moved.* restore a backup\.$/],
  [
    { code: 'telemetry', problem },
    'Check-ins cannot be saved',
    /left for \/disk\. .* try again\.$/,
  ],
  [{ code: 'log', detail: 'ENOSPC' }, 'The log cannot be written', /^ENOSPC\. Check the disk/],
  [{ code: 'backup', problem }, 'The backup failed', /left for \/disk\. .* another disk\.$/],
])('%j', (trouble, title, text) => {
  expect(troubleWords(trouble)).toEqual({ title, text: expect.stringMatching(text) })
})
