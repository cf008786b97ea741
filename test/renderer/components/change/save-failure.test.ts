import { expect, test } from 'vitest'
import { writeFailureSentence } from '../../../../src/renderer/components/strings.ts'
import { WriteFailure } from '../../../../src/shared/console/desktop/shell.ts'

const TEXTS: Readonly<Record<WriteFailure['reason'], string>> = {
  disk_full: 'the disk is full. Free some space, or choose another folder.',
  not_allowed: 'permission denied. Choose another folder.',
  is_folder: 'a folder with this name exists. Choose another name.',
  folder_missing: 'the folder no longer exists. Choose another one.',
  in_use: 'it is open in another program. Close it there, then try again.',
  other: 'EWHATEVER: odd',
}

test.each(Object.entries(TEXTS))('%s', (reason, text) => {
  const failure = WriteFailure.parse({ path: '/a/b.csv', reason, detail: 'EWHATEVER: odd' })
  expect(writeFailureSentence(failure)).toBe(`/a/b.csv could not be written: ${text}`)
})
