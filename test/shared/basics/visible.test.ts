import { expect, test } from 'vitest'
import { SignInName } from '../../../src/shared/access/person.ts'
import { showInvisible, showProse } from '../../../src/shared/basics/visible.ts'
import { ComputerName } from '../../../src/shared/console/people/sign-in-codes.ts'
import { DisplayName } from '../../../src/shared/names.ts'

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Bidi_Control}]/u

test('no name that others read has a character that is invisible, or that reorders others', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (!HIDDEN.test(character)) continue
    const name = `a${character}b`
    const accepted = [ComputerName, DisplayName].filter((each) => each.safeParse(name).success)
    expect(accepted, code.toString(16)).toEqual([])
    const signIn = SignInName.safeParse(name)
    expect(signIn.success && HIDDEN.test(signIn.data), code.toString(16)).toBe(false)
  }
})

test('what is stored already is shown with what it hides', () => {
  expect(showInvisible('lap\u200Btop \u202Eexe')).toBe('lap⟨U+200B⟩top ⟨U+202E⟩exe')
  expect(showProse('Fixed\n\tnothing\u202E gnihton 👩‍💻 ⚠️')).toBe(
    'Fixed\n\tnothing⟨U+202E⟩ gnihton 👩‍💻 ⚠️',
  )
})
