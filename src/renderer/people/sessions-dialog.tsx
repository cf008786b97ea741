import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { server, serverClient } from '../bridge/clients.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { DataTable } from '../components/list/data-table.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { SessionPlace } from '../components/text/browser-name.tsx'
import { When } from '../components/text/when.tsx'
import type { PersonDialogProps } from './person-action.ts'
import { text } from './strings.ts'

/** Shows where somebody is signed in, and ends all of it. */
export function SessionsDialog({ person, opened, onClose }: PersonDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.sessionList.title(person.name)} size="lg">
      <SessionsForm person={person} onClose={onClose} />
    </Dialog>
  )
}

function SessionsForm({ person: { id, name }, onClose }: Omit<PersonDialogProps, 'opened'>) {
  const sessions = useQuery(
    server.people.sessions.queryOptions({ id }, { refetchOnMount: 'always' }),
  )
  const end = useChange(serverClient.people.endSessions.mutate, {
    done: ({ ended }) => text.sessionList.done(name, ended),
    failed: () => text.sessionList.failed(name),
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
