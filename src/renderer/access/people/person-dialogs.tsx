import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { IssuedPersonLink, PersonItem } from '../../../shared/console/people/people.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useLast } from '../../components/dialog/dialog.tsx'
import { ConfirmForm, DialogForm } from '../../components/dialog/dialog-form.tsx'
import { OnceDialog } from '../../components/dialog/shown-once.tsx'
import { EmailField, seenEmail, useEmail } from '../../components/email-field.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { SessionPlace } from '../../components/text/browser-name.tsx'
import { When } from '../../components/text/words.tsx'
import { RolesDialog } from './access-fields.tsx'
import {
  CONFIRMED,
  ConfirmedStep,
  type PersonAction,
  type PersonDialogProps,
} from './confirm-dialogs.tsx'
import { IssuedLink, titleOfLink } from './invite-dialog.tsx'
import { text } from './strings.ts'

interface Props {
  /** The account in question. */
  readonly person: PersonItem | undefined
  /** What is asked; no dialog is open without. */
  readonly action: PersonAction | undefined
  readonly onClose: () => void
}

/** The dialogs about one account. */
export function PersonDialogs({ person, action, onClose }: Props) {
  const shown = useLast(person)
  if (shown === undefined) return null
  const asked = (which: PersonAction) => ({ opened: action === which, onClose })
  const of = (which: PersonAction): PersonDialogProps => ({ person: shown, ...asked(which) })
  return (
    <>
      <RolesDialog {...of('roles')} />
      <Dialog {...asked('email')} title={text.email.title(shown.name)}>
        <EmailForm person={shown} onClose={onClose} />
      </Dialog>
      <LinkDialog {...of('link')} />
      <Dialog {...asked('sessions')} title={text.sessionList.title(shown.name)} size="lg">
        <SessionsForm person={shown} onClose={onClose} />
      </Dialog>
      {CONFIRMED.map((step) => (
        <ConfirmedStep key={step} step={step} {...of(step)} />
      ))}
    </>
  )
}

/** Sets where mail for a person goes. */
function EmailForm({ person, onClose }: Omit<PersonDialogProps, 'opened'>) {
  const { id, name } = person
  const [stored] = useState(person.email)
  const draft = useEmail(stored)
  const save = useChange(serverClient.people.setEmail.mutate, {
    done: text.email.done(name),
    failed: text.email.failed(name),
    onDone: onClose,
  })
  return (
    <DialogForm
      action={text.email.action}
      change={save}
      valid={draft.fault === undefined}
      onSubmit={() => save.send({ id, email: draft.email, seen: seenEmail(save.error, stored) })}
    >
      {(tried) => <EmailField draft={draft} hint={text.email.hint} tried={tried} isFirst />}
    </DialogForm>
  )
}

/** Creates a link that sets a password, and shows it once: another invitation, or a reset. */
function LinkDialog({ person, ...dialog }: PersonDialogProps) {
  const words = person.status === 'invited' ? text.newLink.invitation : text.newLink.reset
  return (
    <OnceDialog
      {...dialog}
      title={words.title(person.name)}
      titleOf={titleOfLink}
      form={(onMade) => <LinkForm person={person} onCreated={onMade} />}
      shown={(link, close) => <IssuedLink link={link} onClose={close} />}
    />
  )
}

interface LinkProps extends Pick<PersonDialogProps, 'person'> {
  readonly onCreated: (link: IssuedPersonLink) => void
}

function LinkForm({ person: { id, name, status, sessions }, onCreated }: LinkProps) {
  const create = useChange(serverClient.people.createLink.mutate, {
    failed: text.newLink.failed(name),
    onAnswer: onCreated,
  })
  const { invitation, reset } = text.newLink
  const isInvited = status === 'invited'
  return (
    <ConfirmForm
      action={isInvited ? invitation.action : reset.action}
      destructive={false}
      change={create}
      onConfirm={() => create.send({ id })}
    >
      {isInvited ? invitation.effect : reset.effect(sessions)}
    </ConfirmForm>
  )
}

/** Shows where somebody is signed in, and ends all of it. */
function SessionsForm({ person: { id, name }, onClose }: Omit<PersonDialogProps, 'opened'>) {
  const sessions = useQuery(
    server.people.sessions.queryOptions({ id }, { refetchOnMount: 'always' }),
  )
  const end = useChange(serverClient.people.endSessions.mutate, {
    done: ({ ended }) => text.sessionList.done(name, ended),
    failed: text.sessionList.failed(name),
    onDone: onClose,
  })
  const count = sessions.data?.length ?? 0
  return (
    <DialogForm
      action={text.sessionList.action(count)}
      destructive
      change={end}
      disabled={count === 0}
      onSubmit={() => end.send({ id })}
    >
      <Loaded query={sessions}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm">{text.sessionList.none}</Text>
          ) : (
            <DataTable
              label={text.sessionList.title(name)}
              rows={list}
              keyOf={(session) => session.id}
              columns={[
                {
                  name: text.sessionList.browser,
                  cell: ({ kind, userAgent }) => <SessionPlace kind={kind} userAgent={userAgent} />,
                },
                { name: text.sessionList.address, cell: ({ address }) => address },
                {
                  name: text.sessionList.lastUsed,
                  cell: ({ lastUsedAt }) => <When at={lastUsedAt} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </DialogForm>
  )
}
