import { Menu, UnstyledButton } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { signOut } from '../bridge/browser/sign-out.ts'
import { server } from '../bridge/clients.ts'
import { paths } from '../paths.ts'
import classes from './navigation.module.css'
import { text } from './strings.ts'

/** Who is signed in, at the foot of the navigation, and what they can do about it. */
export function OwnMenu() {
  const { data } = useQuery(server.session.me.queryOptions())
  if (data === undefined) return null
  return (
    <Menu position="top-start" width="target" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.own} title={data.name}>
          <IconUserCircle size={18} stroke={1.75} aria-hidden="true" />
          <span>{data.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={text.ownAccount}>
        <Menu.Item
          component={Link}
          to={paths.account}
          leftSection={<IconUserCircle size={16} aria-hidden="true" />}
        >
          {text.myAccount}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => void signOut(text.signOutFailed)}
        >
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
