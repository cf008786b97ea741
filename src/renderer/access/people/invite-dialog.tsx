import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { SignInName } from '../../../shared/access/person.ts'
import type { IssuedPersonLink } from '../../../shared/console/people/people.ts'
import { isDesktop, serverClient } from '../../bridge/clients.ts'
import { duplicateFault, faultOf } from '../../components/change/fault.ts'
import { useChange } from '../../components/change/use-change.ts'
import type { DialogProps } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { StayGuard } from '../../components/dialog/leave-guard.tsx'
import { OnceDialog, ShownOnce } from '../../components/dialog/shown-once.tsx'
import { EmailField, useEmail } from '../../components/email-field.tsx'
import { Quiet, When } from '../../components/text/words.tsx'
import { TextField } from '../../components/text-fields.tsx'
import { type AccessDraft, AccessFields, accessOfDraft } from './access-fields.tsx'
import { text } from './strings.ts'

/** Adds an account and shows the link to it once. */
export function InviteDialog(props: DialogProps) {
  return (
    <OnceDialog
      {...props}
      title={text.inviteForm.title}
      titleOf={titleOfLink}
      form={(onMade) => <InviteForm onInvited={onMade} />}
      shown={(link, close) => <IssuedLink link={link} onClose={close} />}
    />
  )
}

function InviteForm({ onInvited }: { readonly onInvited: (link: IssuedPersonLink) => void }) {
  const [name, setName] = useState('')
  const mail = useEmail(null)
  const [draft, setDraft] = useState<AccessDraft>({ server: 'viewer', apps: [] })
  const invite = useChange(serverClient.people.invite.mutate, {
    failed: (input) => text.inviteForm.failed(input.name),
    onAnswer: onInvited,
  })
  const fault = faultOf(SignInName, name, text.inviteForm.name)
  const duplicate = duplicateFault(invite.error)
  const access = accessOfDraft(draft)
  const hasRole = draft.server !== null || draft.apps.length > 0
  return (
    <DialogForm
      action={text.inviteForm.action}
      change={invite}
      isFieldError={duplicate !== undefined}
      valid={fault === undefined && mail.fault === undefined && access !== undefined && hasRole}
      onSubmit={() => access && invite.send({ name: name.trim(), access, email: mail.email })}
    >
      {(tried) => (
        <>
          <StayGuard refusal={invite.isPending ? text.inviteForm.pending : undefined} />
          <TextField
            label={text.inviteForm.name}
            description={text.inviteForm.nameHint}
            required
            value={name}
            onChange={(typed) => {
              setName(typed)
              invite.reset()
            }}
            error={duplicate ?? (tried && fault)}
            data-autofocus
          />
          <EmailField draft={mail} hint={text.email.inviteHint} tried={tried} />
          <AccessFields access={draft} tried={tried} onChange={setDraft} />
          {tried && !hasRole && (
            <Text role="alert" size="sm" c="var(--tidegate-bad)">
              {text.access.noRole}
            </Text>
          )}
        </>
      )}
    </DialogForm>
  )
}

interface Props {
  readonly link: IssuedPersonLink
  readonly onClose: () => void
}

/** The one place where a link is ever shown. The screen cannot be left before it was copied. */
export function IssuedLink({ link, onClose }: Props) {
  const hasAddress = !isDesktop() || link.console !== null
  return (
    <ShownOnce
      stay={text.link.stay}
      once={
        <Text size="sm">
          {text.link.once} <When at={link.expiresAt} />.
        </Text>
      }
      label={text.link[link.kind]}
      text={addressOf(link)}
      buttons={(onDone) => <Button onClick={onDone}>{text.link.done}</Button>}
      onClose={onClose}
    >
      {link.mailed && link.person.email !== null && (
        <Text size="sm">{text.link.mailed(link.person.email)}</Text>
      )}
      {!hasAddress && <Quiet>{text.link.withoutAddress}</Quiet>}
    </ShownOnce>
  )
}

/** The title of the dialog that shows a link. */
export function titleOfLink({ kind, person }: IssuedPersonLink): string {
  return text.link.titleFor(text.link[kind], person.name)
}

/** In a browser by the address under which this page reached the server, which no server knows better. */
function addressOf({ token, console }: IssuedPersonLink): string {
  const path = `#/link/${token}`
  if (!isDesktop()) return new URL(path, document.baseURI).href
  return `${console ?? '/console/'}${path}`
}
