import { IconApps } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { ListScreen } from '../components/list/list-screen.tsx'
import { AppTable } from './app-table.tsx'
import { CreateAppDialog } from './create-app-dialog.tsx'
import { text } from './strings.ts'

/** The apps that this server knows. */
export function AppsScreen() {
  const apps = useQuery(server.apps.list.queryOptions())
  const mayCreate = useAccess().may('administrator')
  return (
    <ListScreen
      title={text.title}
      description={text.description}
      query={apps}
      create={mayCreate ? text.create : undefined}
      dialog={CreateAppDialog}
      empty={{
        icon: IconApps,
        title: text.empty,
        hint: mayCreate ? text.emptyHint : text.noneVisible,
      }}
    >
      {(list) => <AppTable apps={list} />}
    </ListScreen>
  )
}
