import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_SAVED_FILTERS, type SavedFilter } from '../../../shared/console/shell.ts'
import { MAX_DISPLAY_NAME } from '../../../shared/names.ts'
import { shellClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { savedText as text } from '../strings.ts'

interface Props {
  readonly opened: boolean
  readonly saved: readonly SavedFilter[]
  /** The filters to save, as in the address. */
  readonly query: string
  readonly onClose: () => void
}

/** Asks for a name, and saves filters under it. */
export function SaveFilterDialog({ opened, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={text.saveTitle}>
      <SaveForm {...rest} />
    </Dialog>
  )
}

function SaveForm({ saved, query, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState('')
  const save = useChange(shellClient.shell.setPreferences.mutate, {
    done: () => text.savedAs(name.trim()),
    failed: () => text.notSaved,
    onDone: onClose,
  })
  const issue = issueOf(name.trim(), saved)
  return (
    <DialogForm
      action={text.saveAction}
      change={save}
      valid={issue === undefined}
      onSubmit={() => {
        const next = [...saved, { name: name.trim(), query }]
        save.send({
          savedDeviceFilters: next.toSorted((a, b) => a.name.localeCompare(b.name)),
        })
      }}
    >
      {(tried) => (
        <TextInput
          label={text.name}
          required
          maxLength={MAX_DISPLAY_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={tried && issue}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}

function issueOf(name: string, saved: readonly SavedFilter[]): string | undefined {
  if (name === '') return text.required
  if (saved.some((one) => one.name === name)) return text.nameExists
  return saved.length >= MAX_SAVED_FILTERS ? text.tooMany(MAX_SAVED_FILTERS) : undefined
}
