import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { server } from '../bridge/clients.ts'
import { ListScreen } from '../components/list/list-screen.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PeopleTable } from './people-table.tsx'
import { text } from './strings.ts'

/** The people who can sign in to the console, for administrators of the server. */
export function PeopleScreen() {
  // When somebody was last seen is no change that the server announces.
  const people = useQuery(server.people.list.queryOptions(undefined, { refetchOnMount: 'always' }))
  return (
    <ListScreen
      title={text.title}
      description={text.description}
      query={people}
      create={text.invite}
      dialog={InviteDialog}
      empty={{ icon: IconUsers, title: text.empty, hint: text.emptyHint }}
    >
      {(list) => <PeopleTable people={list} />}
    </ListScreen>
  )
}
