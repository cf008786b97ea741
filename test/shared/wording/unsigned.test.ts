import { expect, test } from 'vitest'
import { unsignedWarning } from '../../../src/shared/wording/artifacts.ts'

test('names each file without a signature, the consequence and the fix', () => {
  expect(unsignedWarning(['Editor.msi'])).toBe(
    'Editor.msi has no signature. Tauri apps download it but refuse to install it. Add the contents of its .sig file.',
  )
  expect(unsignedWarning(['a.msi', 'b-setup.exe', 'c.AppImage'])).toBe(
    'a.msi, b-setup.exe, and c.AppImage have no signature. Tauri apps download them but refuse to install them. Add the contents of their .sig files.',
  )
})

test('is null if nothing lacks a signature', () => {
  expect(unsignedWarning([])).toBeNull()
})
