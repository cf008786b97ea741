import { Text } from '@mantine/core'
import { useState } from 'react'
import type { PersonItem } from '../../shared/console/people.ts'
import type { PageAccess } from '../../shared/console/session.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { Notice } from '../components/notice.tsx'
import { accessOfDraft, draftOf } from './access-draft.ts'
import { AccessFields } from './access-fields.tsx'
import type { PersonDialogProps } from './person-action.ts'
import { text } from './strings.ts'

/** Changes the roles of an account. */
export function RolesDialog({ person, opened, onClose }: PersonDialogProps) {
  const [attempt, setAttempt] = useState(0)
  return (
    <Dialog opened={opened} onClose={onClose} title={text.rolesForm.title(person.name)} size="lg">
      <RolesForm
        key={attempt}
        person={person}
        onReview={() => setAttempt(attempt + 1)}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface Props {
  /** As it is now; it may change while the form is filled in. */
  readonly person: PersonItem
  /** Starts the form anew with the roles as they are now. */
  readonly onReview: () => void
  readonly onClose: () => void
}

function RolesForm({ person, onReview, onClose }: Props) {
  const { id, name, sessions } = person
  const [seen] = useState(person.access)
  const [draft, setDraft] = useState(() => draftOf(person.access))
  const [isSaved, setSaved] = useState(false)
  const save = useChange(serverClient.people.setAccess.mutate, {
    done: () => text.rolesForm.done(name),
    failed: () => text.rolesForm.failed(name),
    onAnswer: () => setSaved(true),
    onDone: onClose,
  })
  const access = accessOfDraft(draft)
  const isOutdated = !isSaved && !save.isPending && !isSame(seen, person.access)
  return (
    <DialogForm
      action={text.rolesForm.action}
      change={isOutdated ? { ...save, error: null } : save}
      valid={access !== undefined}
      disabled={isOutdated}
      onSubmit={() => access && save.send({ id, access, seen })}
    >
      {(tried) => (
        <>
          {isOutdated && (
            <Notice
              title={text.rolesForm.changed}
              action={{ name: text.rolesForm.review, onClick: onReview }}
            >
              <Text size="sm">{text.rolesForm.changedHint}</Text>
            </Notice>
          )}
          <AccessFields access={draft} tried={tried} onChange={setDraft} />
          {sessions > 0 && <Text size="sm">{text.rolesForm.effect(sessions)}</Text>}
        </>
      )}
    </DialogForm>
  )
}

/** The server lists apps in one order. */
function isSame(one: PageAccess, other: PageAccess): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
