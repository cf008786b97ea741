import { EventType, type WebhookInput } from '../../shared/webhook.ts'
import { serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import type { DialogProps } from '../components/dialog/dialog.tsx'
import { SecretDialog } from '../components/dialog/shown-once.tsx'
import { text } from './strings.ts'
import { WebhookForm } from './webhook-form.tsx'

const NEW_WEBHOOK: WebhookInput = {
  name: '',
  url: '',
  format: 'standard',
  events: [...EventType.options],
  app: null,
}

/** Creates a webhook and shows its secret once. */
export function CreateWebhookDialog(props: DialogProps) {
  return (
    <SecretDialog
      {...props}
      title={text.form.createTitle}
      words={text.secret}
      form={(onMade) => <CreateForm onCreated={onMade} />}
    />
  )
}

function CreateForm({ onCreated }: { readonly onCreated: (secret: string) => void }) {
  const create = useChange(serverClient.webhooks.create.mutate, {
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
