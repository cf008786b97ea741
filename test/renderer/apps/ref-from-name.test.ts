import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refFromName } from '../../../src/renderer/apps/ref-from-name.ts'
import { AppRef } from '../../../src/shared/names.ts'

describe('the reference that a name suggests', () => {
  test('keeps what can be typed', () => {
    expect(refFromName("Müller's Editor 2")).toBe('mullers-editor-2')
    expect(refFromName('  — ')).toBe('')
  })

  test('is a reference, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        const ref = refFromName(name)
        expect(ref === '' || AppRef.safeParse(ref).success).toBe(true)
      }),
    )
  })
})
