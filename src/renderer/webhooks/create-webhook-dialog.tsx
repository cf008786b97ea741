import { useState } from 'react'
import { EventType, type WebhookInput } from '../../shared/webhook.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { StayGuard } from '../components/dialog/leave-guard.tsx'
import { ShownSecret } from '../components/dialog/shown-secret.tsx'
import { text } from './strings.ts'
import { WebhookForm } from './webhook-form.tsx'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

const NEW_WEBHOOK: WebhookInput = {
  name: '',
  url: '',
  format: 'standard',
  events: [...EventType.options],
  app: null,
}

/** Creates a webhook and shows its secret once. The screen cannot be left before that was copied. */
export function CreateWebhookDialog({ opened, onClose }: Props) {
  const [secret, setSecret] = useState<string>()
  const close = () => {
    onClose()
    setSecret(undefined)
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={secret === undefined ? text.form.createTitle : text.secret.title}
      closable={secret === undefined}
      size="lg"
    >
      {secret === undefined ? (
        <CreateForm onCreated={setSecret} />
      ) : (
        <>
          <StayGuard refusal={text.secret.stay} />
          <ShownSecret secret={secret} words={text.secret} onClose={close} />
        </>
      )}
    </Dialog>
  )
}

function CreateForm({ onCreated }: { readonly onCreated: (secret: string) => void }) {
  const create = useChange(serverClient.webhooks.create.mutate, {
    done: () => undefined,
    failed: ({ name }) => text.form.createFailed(name),
    onAnswer: ({ secret }) => onCreated(secret),
  })
  return (
    <WebhookForm
      initial={NEW_WEBHOOK}
      action={text.form.create}
      change={create}
      onSubmit={create.send}
    />
  )
}
