import { Checkbox, NativeSelect, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isServerEvent } from '../../shared/events/event-type.ts'
import {
  EventType,
  MAX_WEBHOOK_URL,
  WebhookFormat,
  type WebhookInput,
} from '../../shared/events/webhook.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import type { DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { SecretDialog } from '../components/dialog/shown-once.tsx'
import { appChoices, SearchableSelect } from '../components/list/searchable-select.tsx'
import { NameField, TextField } from '../components/text-fields.tsx'
import { EVENT_WORDS, FORMAT_WORDS, text } from './strings.ts'

interface Props {
  readonly initial: WebhookInput
  readonly action: string
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  readonly onSubmit: (input: WebhookInput) => void
  readonly children?: ReactNode
}

/** Asks where a webhook sends what. */
export function WebhookForm({ initial, action, change, onSubmit, children }: Props) {
  const [name, setName] = useState(initial.name)
  const [url, setUrl] = useState(initial.url)
  const [format, setFormat] = useState(initial.format)
  const [events, setEvents] = useState<readonly EventType[]>(initial.events)
  const [app, setApp] = useState(initial.app ?? '')
  const apps = useQuery(server.apps.names.queryOptions())
  const isUrl = /^https?:$/.test(URL.parse(url.trim())?.protocol ?? '')
  const isNamed = name.trim() !== ''
  const sent = events.filter((type) => app === '' || !isServerEvent(type))
  return (
    <DialogForm
      action={action}
      change={change}
      valid={isNamed && isUrl && sent.length > 0}
      onSubmit={() =>
        onSubmit({
          ...{ name: name.trim(), url: url.trim(), format, events: sent, app: app || null },
        })
      }
    >
      {(tried) => (
        <>
          {children}
          <NameField
            label={text.form.name}
            description={text.form.nameHint}
            value={name}
            onChange={setName}
            error={tried && !isNamed && text.form.required}
            data-autofocus
          />
          <TextField
            label={text.form.url}
            description={text.form.urlHint}
            required
            type="url"
            maxLength={MAX_WEBHOOK_URL}
            value={url}
            onChange={setUrl}
            error={tried && !isUrl && text.form.noUrl}
          />
          <NativeSelect
            label={text.form.format}
            value={format}
            data={WebhookFormat.options.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
            onChange={(event) => setFormat(WebhookFormat.parse(event.currentTarget.value))}
          />
          <SearchableSelect
            label={text.form.app}
            description={text.form.appHint}
            value={app}
            choices={[{ value: '', label: text.allApps }, ...appChoices(apps.data ?? [])]}
            onChange={setApp}
          />
          <Checkbox.Group
            label={text.form.events}
            value={[...sent]}
            onChange={(chosen) =>
              setEvents(EventType.options.filter((each) => chosen.includes(each)))
            }
            error={tried && sent.length === 0 && text.form.noEvents}
          >
            <SimpleGrid cols={2} spacing="xs" mt="xs">
              {EventType.options.map((type) => (
                <Checkbox
                  key={type}
                  value={type}
                  label={EVENT_WORDS[type]}
                  disabled={app !== '' && isServerEvent(type)}
                  aria-invalid={tried && sent.length === 0}
                />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </>
      )}
    </DialogForm>
  )
}

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
