import { useEffect, useState } from 'react'
import type { IssuedPersonLink } from '../../shared/console/people.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmForm } from '../components/dialog/confirm-dialog.tsx'
import { Dialog } from '../components/dialog/dialog.tsx'
import { IssuedLink, titleOfLink } from './issued-link.tsx'
import type { PersonDialogProps } from './person-action.ts'
import { text } from './strings.ts'

/** Creates a link that sets a password, and shows it once: another invitation, or a reset. */
export function LinkDialog({ person, opened, onClose }: PersonDialogProps) {
  const [link, setLink] = useState<IssuedPersonLink>()
  const create = useChange(serverClient.people.createLink.mutate, {
    done: () => undefined,
    failed: () => text.newLink.failed(person.name),
    onAnswer: setLink,
  })
  const { reset } = create
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  const close = () => {
    onClose()
    setLink(undefined)
  }
  const isInvited = person.status === 'invited'
  const words = isInvited ? text.newLink.invitation : text.newLink.reset
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={link === undefined ? words.title(person.name) : titleOfLink(link)}
      closable={link === undefined}
      size="lg"
    >
      {link === undefined ? (
        <ConfirmForm
          action={words.action}
          destructive={false}
          change={create}
          onConfirm={() => create.send({ id: person.id })}
        >
          {isInvited ? text.newLink.invitation.effect : text.newLink.reset.effect(person.sessions)}
        </ConfirmForm>
      ) : (
        <IssuedLink link={link} onClose={close} />
      )}
    </Dialog>
  )
}
