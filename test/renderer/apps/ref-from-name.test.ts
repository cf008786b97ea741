import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refFromName } from '../../../src/renderer/apps/create-app-dialog.tsx'
import { AppRef } from '../../../src/shared/names.ts'

describe('the reference that a name suggests', () => {
  test('keeps what can be typed', () => {
    expect(refFromName("Müller's Editor 2")).toBe('mullers-editor-2')
    expect(refFromName('  — ')).toBe('')
  })

  test('transliterates letters of scripts that allow it', () => {
    expect(refFromName('Straße nach Łódź')).toBe('strasse-nach-lodz')
    expect(refFromName('Редактор 2')).toBe('redaktor-2')
    expect(refFromName('Θάλασσα')).toBe('thalassa')
  })

  test('is empty if only digits of a name would be left', () => {
    expect(refFromName('編集 2')).toBe('')
    expect(refFromName('編集 Editor 2')).toBe('editor-2')
    expect(refFromName('2048')).toBe('2048')
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
