import { Badge, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSession } from '../../shared/console/own-account.ts'
import { account, accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import { SessionPlace } from '../components/text/browser-name.tsx'
import { When } from '../components/text/when.tsx'
import { OwnTable } from './own-table.tsx'
import { text } from './strings.ts'

/** Where the person is signed in. */
export function SessionsSection() {
  // When a session was last used is no change that the server announces.
  const sessions = useQuery(
    account.own.sessions.queryOptions(undefined, { refetchOnMount: 'always' }),
  )
  const [asking, setAsking] = useState(false)
  const others = (sessions.data?.length ?? 1) - 1
  return (
    <Panel
      flush
      title={text.sessions.title}
      actions={
        others > 0 && (
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            {text.sessions.endOthers(others)}
          </Button>
        )
      }
    >
      <Loaded query={sessions}>{(list) => <SessionTable sessions={list} />}</Loaded>
      <EndOthersDialog others={others} opened={asking} onClose={() => setAsking(false)} />
    </Panel>
  )
}

function SessionTable({ sessions }: { readonly sessions: readonly OwnSession[] }) {
  const end = useChange(accountClient.own.endSession.mutate, {
    done: () => text.sessions.ended,
    failed: () => text.sessions.endFailed,
  })
  const { columns } = text.sessions
  return (
    <>
      <ErrorNotice error={end.error} title={text.sessions.endFailed} />
      <OwnTable
        label={text.sessions.title}
        columns={[columns.browser, columns.address, columns.started, columns.lastUsed]}
        actions={columns.actions}
        rows={sessions.map(({ id, kind, userAgent, address, createdAt, lastUsedAt, isCurrent }) => {
          const label = text.sessions.endLabel(address)
          const onClick = () => end.send({ id })
          return {
            key: id,
            cells: [
              <Group key="browser" gap="xs">
                <SessionPlace kind={kind} userAgent={userAgent} />
                {isCurrent && (
                  <Badge variant="default" size="sm" tt="none">
                    {text.sessions.current}
                  </Badge>
                )}
              </Group>,
              address,
              <When key="started" at={createdAt} />,
              <When key="used" at={lastUsedAt} />,
            ],
            action: isCurrent ? undefined : { name: text.sessions.end, label, onClick },
          }
        })}
      />
    </>
  )
}

interface EndOthersProps {
  readonly others: number
  readonly opened: boolean
  readonly onClose: () => void
}

function EndOthersDialog({ others, opened, onClose }: EndOthersProps) {
  const end = useChange(() => accountClient.own.endOtherSessions.mutate(), {
    done: ({ ended }) => text.sessions.endedOthers(ended),
    failed: () => text.sessions.endOthersFailed,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={text.sessions.endOthersTitle}
      action={text.sessions.endOthers(others)}
      change={end}
      onConfirm={() => end.send(undefined)}
    >
      {text.sessions.endOthersEffect(others)}
    </ConfirmDialog>
  )
}
