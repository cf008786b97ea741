import { useState } from 'react'
import { useNavigate } from 'react-router'
import { AppRef } from '../../shared/names.ts'
import { serverClient } from '../bridge/clients.ts'
import { duplicateFault, faultOf } from '../components/change/fault.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { NameField, TextField } from '../components/text-fields.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'

/** Asks for a name and a reference, creates the app, and opens its screen. */
export function CreateAppDialog(dialog: DialogProps) {
  return (
    <Dialog {...dialog} title={text.createApp.title}>
      <CreateAppForm onClose={dialog.onClose} />
    </Dialog>
  )
}

function CreateAppForm({ onClose }: Pick<DialogProps, 'onClose'>) {
  const [name, setName] = useState('')
  const [typedRef, setTypedRef] = useState<string>()
  const navigate = useNavigate()
  const create = useChange(serverClient.apps.create.mutate, {
    done: (app) => text.createApp.done(app.name),
    failed: (app) => text.createApp.failed(app.name),
    onDone: (app) => {
      onClose()
      void navigate(paths.app(app.ref))
    },
  })
  const ref = typedRef ?? refFromName(name)
  const refFault = faultOf(AppRef, ref, text.createApp.referenceSubject)
  const duplicate = duplicateFault(create.error)
  const isUnnamable = typedRef === undefined && name.trim() !== '' && ref === ''
  return (
    <DialogForm
      action={text.createApp.action}
      change={create}
      isFieldError={duplicate !== undefined}
      valid={name.trim() !== '' && refFault === undefined}
      onSubmit={() => create.send({ ref, name: name.trim() })}
    >
      {(tried) => (
        <>
          <NameField
            label={text.name}
            description={text.createApp.nameHint}
            value={name}
            onChange={(typed) => {
              setName(typed)
              create.reset()
            }}
            error={tried && name.trim() === '' && text.required}
            data-autofocus
          />
          <TextField
            label={text.createApp.reference}
            description={text.createApp.referenceHint}
            required
            value={ref}
            onChange={(typed) => {
              setTypedRef(typed)
              create.reset()
            }}
            error={
              isUnnamable
                ? text.createApp.noReference
                : (duplicate ?? ((tried || ref !== '') && refFault))
            }
          />
        </>
      )}
    </DialogForm>
  )
}

/** Letters that Unicode does not decompose into one of `a` to `z` and a mark. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŋ: 'n' },
}

const CYRILLIC: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ж: 'zh', з: 'z', и: 'i', к: 'k', л: 'l' },
  ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts' },
  ...{ ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya', і: 'i' },
  ...{ є: 'ye', ґ: 'g', ђ: 'dj', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', џ: 'dz' },
}

const GREEK: Readonly<Record<string, string>> = {
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l' },
  ...{ μ: 'm', ν: 'n', ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f' },
  ...{ χ: 'ch', ψ: 'ps', ω: 'o' },
}

const LETTERS = new Map(Object.entries({ ...LATIN, ...CYRILLIC, ...GREEK }))

/**
 * Returns the reference that a name suggests: `Müller's Editor 2` gives `mullers-editor-2`, `Море` gives `more`.
 * Returns an empty text if the letters of the name are in a script that cannot be transliterated letter by letter,
 * such as Chinese: what is left of it would not tell the app.
 */
export function refFromName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/\p{L}/gu, (letter) => LETTERS.get(letter) ?? letter)
  const ref = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
  const hasForeignLetters = /[^a-z\P{L}]/u.test(plain)
  return hasForeignLetters && !/[a-z]/.test(ref) ? '' : ref
}
