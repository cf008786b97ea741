import { Button, Menu } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Release } from '../../../shared/release.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { paths } from '../../paths.ts'
import { text } from './strings.ts'

/** Leads to the publish form for another channel of the app, filled in with this release. */
export function CopyMenu({ release }: { readonly release: Release }) {
  const apps = useQuery(server.apps.names.queryOptions())
  const { may } = useAccess()
  const app = apps.data?.find(({ ref }) => ref === release.app)
  const channels = app?.channels.filter((name) => name !== release.channel) ?? []
  if (app === undefined || app.archived || channels.length === 0) return null
  if (!may('release_manager', app.ref)) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconCopyPlus size={16} aria-hidden="true" />}>
          {text.copy}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {channels.map((name) => (
          <Menu.Item key={name} component={Link} to={paths.copyRelease(release, name)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
