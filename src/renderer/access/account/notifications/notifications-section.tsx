import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { OwnNotifications, PushBrowser } from '../../../../shared/events/notifications.ts'
import { account, accountClient } from '../../../bridge/browser/account-client.ts'
import { keepPush, pushSupport, turnOffPush, turnOnPush } from '../../../bridge/browser/push.ts'
import { server } from '../../../bridge/clients.ts'
import { ErrorNotice, Panel, PlainButton, SmallButton } from '../../../components/blocks.tsx'
import { useChange } from '../../../components/change/use-change.ts'
import { EmailField, seenEmail, useEmail } from '../../../components/email-field.tsx'
import { DataTable } from '../../../components/list/data-table.tsx'
import { Loaded } from '../../../components/loading/loading.tsx'
import { SessionPlace } from '../../../components/text/browser-name.tsx'
import { Small, Tag, When } from '../../../components/text/words.tsx'
import { ChoicesForm } from './choices-form.tsx'
import { text } from './strings.ts'

/** What the person is notified about, and where. `email`: the stored address. */
export function NotificationsSection({ email }: { readonly email: string | null }) {
  const own = useQuery(account.own.notifications.get.queryOptions())
  const apps = useQuery(server.apps.names.queryOptions())
  return (
    <>
      <Panel title={text.title}>
        <Stack gap="lg">
          <EmailForm email={email} />
          <Loaded query={own}>{(data) => <ChoicesForm own={data} apps={apps.data ?? []} />}</Loaded>
        </Stack>
      </Panel>
      {own.data && <BrowsersPanel own={own.data} />}
    </>
  )
}

/** Where mail for the person goes. */
function EmailForm({ email: stored }: { readonly email: string | null }) {
  const [known, setKnown] = useState(stored)
  const draft = useEmail(stored)
  const [tried, setTried] = useState(false)
  const save = useChange(accountClient.own.setEmail.mutate, {
    done: text.email.done,
    failed: text.email.failed,
    onAnswer: (saved) => setKnown(saved.email),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (draft.fault !== undefined) return
    save.send({ email: draft.email, seen: seenEmail(save.error, known) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={560}>
        <EmailField draft={draft} hint={text.email.hint} tried={tried} isOwn />
        <ErrorNotice error={save.error} />
        <Group>
          <PlainButton type="submit" loading={save.isPending}>
            {text.email.save}
          </PlainButton>
        </Group>
      </Stack>
    </form>
  )
}

const { browsers: words } = text

/** The browsers in which the person gets push notifications. */
export function BrowsersPanel({ own: { browsers, pushKey } }: { readonly own: OwnNotifications }) {
  const kept = useQuery({ queryKey: ['push-of-this-browser'], queryFn: keepPush })
  const current = browsers.find(({ id }) => id === kept.data)
  return (
    <Panel title={words.title}>
      <Stack>
        {pushKey === null ? (
          <Text size="sm">{words.notOffered}</Text>
        ) : (
          <ThisBrowser pushKey={pushKey} current={current} />
        )}
        {browsers.length > 0 && <BrowserTable browsers={browsers} current={current} />}
      </Stack>
    </Panel>
  )
}

interface ThisBrowserProps {
  readonly pushKey: string
  readonly current: PushBrowser | undefined
}

function ThisBrowser({ pushKey, current }: ThisBrowserProps) {
  const support = pushSupport()
  const change = useChange(
    (id: string | undefined) => (id === undefined ? turnOnPush(pushKey) : turnOffPush(id)),
    {
      done: (_, id) => (id === undefined ? words.turnedOn : words.turnedOff),
      failed: words.failed,
    },
  )
  if (support !== 'supported') return <Text size="sm">{words[support]}</Text>
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">{current === undefined ? words.off : words.on}</Text>
        <PlainButton loading={change.isPending} onClick={() => change.send(current?.id)}>
          {current === undefined ? words.turnOn : words.turnOff}
        </PlainButton>
      </Group>
      <ErrorNotice error={change.error} title={words.failed} />
    </>
  )
}

interface TableProps {
  readonly browsers: readonly PushBrowser[]
  readonly current: PushBrowser | undefined
}

function BrowserTable({ browsers, current }: TableProps) {
  const remove = useChange(accountClient.own.notifications.removeBrowser.mutate, {
    done: words.removed,
    failed: words.removeFailed,
  })
  const { columns } = words
  return (
    <>
      <ErrorNotice error={remove.error} title={words.removeFailed} />
      <DataTable
        label={words.title}
        rows={browsers}
        keyOf={({ id }) => id}
        columns={[
          {
            name: columns.browser,
            cell: ({ id, userAgent }) => (
              <Group gap="xs">
                <SessionPlace kind="browser" userAgent={userAgent} />
                {id === current?.id && <Tag>{words.current}</Tag>}
              </Group>
            ),
          },
          { name: columns.added, cell: ({ createdAt }) => <When at={createdAt} /> },
          { name: columns.state, cell: (browser) => <State browser={browser} /> },
          {
            ...{ name: columns.actions, isUnnamed: true, ta: 'end', w: 96 },
            cell: ({ id, userAgent }) =>
              id !== current?.id && (
                <SmallButton
                  aria-label={words.removeLabel(userAgent)}
                  onClick={() => remove.send({ id })}
                >
                  {words.remove}
                </SmallButton>
              ),
          },
        ]}
      />
    </>
  )
}

function State({ browser: { failingSince, dropped } }: { readonly browser: PushBrowser }) {
  return (
    <>
      {failingSince === null ? (
        words.working
      ) : (
        <span>
          {words.failing} <When at={failingSince} />
        </span>
      )}
      {dropped > 0 && <Small>{words.dropped(dropped)}</Small>}
    </>
  )
}
