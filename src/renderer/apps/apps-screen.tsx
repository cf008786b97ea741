import { Button } from '@mantine/core'
import { IconApps, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { useNewDialog } from '../components/dialog/use-new-dialog.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { AppTable } from './app-table.tsx'
import { CreateAppDialog } from './create-app-dialog.tsx'
import { text } from './strings.ts'

/** The apps that this server knows. */
export function AppsScreen() {
  const apps = useQuery(server.apps.list.queryOptions())
  const [creating, setCreating] = useNewDialog()
  const mayCreate = useAccess().may('administrator')
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={(apps.data?.length ?? 0) > 0 && create}
      />
      <Loaded query={apps}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconApps} title={text.empty} action={create || undefined}>
              {mayCreate ? text.emptyHint : text.noneVisible}
            </EmptyState>
          ) : (
            <AppTable apps={list} />
          )
        }
      </Loaded>
      {mayCreate && <CreateAppDialog opened={creating} onClose={() => setCreating(false)} />}
    </>
  )
}
