import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSession } from '../../../shared/console/people/account.ts'
import { account, accountClient } from '../../bridge/browser/account-client.ts'
import { ErrorNotice, Panel, SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { SessionPlace } from '../../components/text/browser-name.tsx'
import { Tag, When } from '../../components/text/words.tsx'
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
          <SmallButton onClick={() => setAsking(true)}>
            {text.sessions.endOthers(others)}
          </SmallButton>
        )
      }
    >
      <Loaded query={sessions}>{(list) => <SessionTable sessions={list} />}</Loaded>
      <ChangeDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={text.sessions.endOthersTitle}
        action={text.sessions.endOthers(others)}
        send={() => accountClient.own.endOtherSessions.mutate()}
        done={({ ended }) => text.sessions.endedOthers(ended)}
        failed={text.sessions.endOthersFailed}
      >
        {text.sessions.endOthersEffect(others)}
      </ChangeDialog>
    </Panel>
  )
}

function SessionTable({ sessions }: { readonly sessions: readonly OwnSession[] }) {
  const end = useChange(accountClient.own.endSession.mutate, {
    done: text.sessions.ended,
    failed: text.sessions.endFailed,
  })
  const { columns } = text.sessions
  return (
    <>
      <ErrorNotice error={end.error} title={text.sessions.endFailed} />
      <DataTable
        label={text.sessions.title}
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          { name: columns.browser, cell: (session) => <Place session={session} /> },
          { name: columns.address, cell: ({ address }) => address },
          { name: columns.started, cell: ({ createdAt }) => <When at={createdAt} /> },
          { name: columns.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            ...{ name: columns.actions, isUnnamed: true, ta: 'end', w: 96 },
            cell: ({ id, address, isCurrent }) =>
              !isCurrent && (
                <SmallButton
                  aria-label={text.sessions.endLabel(address)}
                  onClick={() => end.send({ id })}
                >
                  {text.sessions.end}
                </SmallButton>
              ),
          },
        ]}
      />
    </>
  )
}

function Place({ session: { kind, userAgent, isCurrent } }: { readonly session: OwnSession }) {
  return (
    <Group gap="xs">
      <SessionPlace kind={kind} userAgent={userAgent} />
      {isCurrent && <Tag>{text.sessions.current}</Tag>}
    </Group>
  )
}
