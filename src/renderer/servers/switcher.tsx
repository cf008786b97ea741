import { Menu, Text } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconPlus,
  IconSelector,
  IconServer2,
  IconSettings,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRemoteServer, useServers } from '../bridge/servers.tsx'
import { Small } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { AddServerDialog } from './add-server-dialog.tsx'
import { ManageServersDialog } from './manage-servers-dialog.tsx'
import classes from './servers.module.css'
import { text } from './strings.ts'

/** Shows in the sidebar which server is in use, and switches to others. */
export function ServerSwitcher() {
  const { servers } = useServers()
  const remote = useRemoteServer()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'add' | 'manage'>()
  const open = (id: string | null) => void navigate(paths.server(id))
  const close = () => setDialog(undefined)
  const name = remote?.name ?? text.own
  const Icon = remote === undefined ? IconDeviceDesktop : IconServer2
  const check = <IconCheck size={16} aria-label={text.inUse} />
  return (
    <>
      <Menu position="bottom-start" width={280} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <button
            type="button"
            className={`${classes.switch} ${classes.colored}`}
            data-color={remote?.color}
            aria-label={text.switch(name)}
          >
            <Icon size={16} aria-hidden="true" />
            <Text span inherit flex={1} miw={0} ta="start" className="cut" title={name}>
              {name}
            </Text>
            <IconSelector size={16} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{text.servers}</Menu.Label>
          <Menu.Item
            leftSection={<IconDeviceDesktop size={14} aria-hidden="true" />}
            rightSection={remote === undefined ? check : null}
            onClick={() => remote !== undefined && open(null)}
          >
            {text.own}
          </Menu.Item>
          {servers.map(({ id, name, color, address, signedInAs }) => (
            <Menu.Item
              key={id}
              leftSection={
                <span className={`${classes.colored} ${classes.dot}`} data-color={color} />
              }
              rightSection={id === remote?.id ? check : null}
              onClick={() => id !== remote?.id && open(id)}
              styles={{ itemLabel: { minWidth: 0 } }}
            >
              <Text size="sm" className="cut">
                {name}
              </Text>
              <Small className="cut" title={address}>
                {signedInAs === null ? text.signedOut : new URL(address).host}
              </Small>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => setDialog('add')}
          >
            {text.addItem}
          </Menu.Item>
          {servers.length > 0 && (
            <Menu.Item
              leftSection={<IconSettings size={16} aria-hidden="true" />}
              onClick={() => setDialog('manage')}
            >
              {text.manageItem}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <AddServerDialog
        opened={dialog === 'add'}
        onClose={close}
        onSignedIn={(id) => {
          close()
          open(id)
        }}
      />
      <ManageServersDialog opened={dialog === 'manage'} onClose={close} />
    </>
  )
}

/** Across the top of the window while another server than this computer's is in use: which one, in its color. */
export function InUseBar() {
  const server = useRemoteServer()
  if (server === undefined) return null
  const { name, address, color, signedInAs } = server
  return (
    <section aria-label={text.bar} className={classes.bar} data-color={color}>
      <IconServer2 size={16} aria-hidden="true" />
      <Text span inherit flex="0 1 auto" miw={64} fw={600} className="cut" title={name}>
        {name}
      </Text>
      <Text span inherit flex="1 1 0" miw={0} className="cut" title={address}>
        {address}
      </Text>
      <Text span inherit flex="0 1 auto" miw={0} className="cut">
        {signedInAs === null ? text.signedOut : text.signedInAs(signedInAs)}
      </Text>
    </section>
  )
}
