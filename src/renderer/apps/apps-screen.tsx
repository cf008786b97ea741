import { Button, Table, Text } from '@mantine/core'
import { IconApps, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { server } from '../bridge/clients.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { When } from '../components/when.tsx'
import { paths } from '../paths.ts'
import { CreateAppDialog } from './create-app-dialog.tsx'

/** The apps that this server knows. */
export function AppsScreen() {
  const apps = useQuery(server.apps.list.queryOptions())
  const [creating, setCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      Create app
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Apps and channels"
        description="Each app has channels, and each channel its own releases and rules."
        actions={(apps.data?.length ?? 0) > 0 && create}
      />
      <Loaded query={apps}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconApps} title="No apps yet" action={create}>
              Create an app to get its update address, then copy the snippets that connect it.
            </EmptyState>
          ) : (
            <AppTable apps={list} />
          )
        }
      </Loaded>
      <CreateAppDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  )
}

function AppTable({ apps }: { readonly apps: readonly AppDetail[] }) {
  return (
    <Panel flush title="Apps">
      <Table aria-label="Apps">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>App</Table.Th>
            <Table.Th>Channels</Table.Th>
            <Table.Th ta="end">Devices</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {apps.map((app) => (
            <Table.Tr key={app.ref}>
              <Table.Td>
                <Link className="link" to={paths.app(app.ref)}>
                  {app.name}
                </Link>
                <Text size="xs" c="dimmed" ff="monospace">
                  {app.ref}
                </Text>
              </Table.Td>
              <Table.Td>{app.channels.map(({ name }) => name).join(', ')}</Table.Td>
              <Table.Td ta="end">{formatCount(app.devices)}</Table.Td>
              <Table.Td>
                <When at={app.createdAt} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={app.archived ? 'archived' : 'active'} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}
