import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { server } from '../bridge/clients.ts'
import { useNewDialog } from '../components/dialog/use-new-dialog.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PeopleTable } from './people-table.tsx'
import { text } from './strings.ts'

/** The people who can sign in to the console, for administrators of the server. */
export function PeopleScreen() {
  // When somebody was last seen is no change that the server announces.
  const people = useQuery(server.people.list.queryOptions(undefined, { refetchOnMount: 'always' }))
  const [inviting, setInviting] = useNewDialog()
  const invite = people.data !== undefined && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
      {text.invite}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={(people.data?.length ?? 0) > 0 && invite}
      />
      <Loaded query={people}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconUsers} title={text.empty} action={invite}>
              {text.emptyHint}
            </EmptyState>
          ) : (
            <PeopleTable people={list} />
          )
        }
      </Loaded>
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
    </>
  )
}
