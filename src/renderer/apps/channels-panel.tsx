import { ActionIcon, Button, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { useAccess } from '../bridge/access.ts'
import { Panel } from '../components/panel.tsx'
import { paths } from '../paths.ts'
import classes from './apps.module.css'
import { CreateChannelDialog } from './create-channel-dialog.tsx'
import { DeleteChannelDialog } from './delete-channel-dialog.tsx'
import { PolicyDialog } from './policy-dialog.tsx'
import { ROLLBACK_WORDS, text, UPDATE_MODE_WORDS } from './strings.ts'

type Channel = AppDetail['channels'][number]

/** The channels of an app and the policy that every decision on them follows. */
export function ChannelsPanel({ app }: { readonly app: AppDetail }) {
  const [creating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<Channel>()
  const mayChange = useAccess().may('administrator', app.ref)
  return (
    <Panel
      flush
      title={text.channels}
      actions={
        mayChange ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            disabled={app.archived}
            onClick={() => setCreating(true)}
          >
            {text.createChannel.action}
          </Button>
        ) : undefined
      }
    >
      <Table aria-label={text.channels}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.channel}</Table.Th>
            <Table.Th>{text.columns.updates}</Table.Th>
            <Table.Th>{text.columns.minimum}</Table.Th>
            <Table.Th>{text.columns.rollback}</Table.Th>
            <Table.Th ta="end">{text.columns.releases}</Table.Th>
            <Table.Th ta="end">{text.columns.served}</Table.Th>
            {mayChange && (
              <Table.Th w={48}>
                <VisuallyHidden>{text.columns.actions}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {app.channels.map((channel) => (
            <ChannelRow
              key={channel.name}
              app={app}
              channel={channel}
              mayChange={mayChange}
              onDelete={() => setDeleting(channel)}
            />
          ))}
        </Table.Tbody>
      </Table>
      <DeleteChannelDialog app={app} channel={deleting} onClose={() => setDeleting(undefined)} />
      <CreateChannelDialog app={app.ref} opened={creating} onClose={() => setCreating(false)} />
    </Panel>
  )
}

interface RowProps {
  readonly app: AppDetail
  readonly channel: Channel
  readonly mayChange: boolean
  readonly onDelete: () => void
}

function ChannelRow({ app, channel, mayChange, onDelete }: RowProps) {
  const { policy } = channel
  return (
    <Table.Tr>
      <Table.Td className={classes.wrap}>
        <Link className="link" to={paths.channelReleases(app.ref, channel.name)}>
          {channel.name}
        </Link>
        {policy.requireApproval && (
          <Text size="xs" c="dimmed">
            {text.requiresApproval}
          </Text>
        )}
        {policy.proving === 'required' && (
          <Text size="xs" c="dimmed">
            {text.requiresProof}
          </Text>
        )}
        {hasEarlyAccess(policy) && (
          <Text size="xs" c="dimmed">
            {text.hasEarlyAccess}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{UPDATE_MODE_WORDS[policy.updateMode].name}</Table.Td>
      <Table.Td>
        {policy.minimumSupportedVersion === '0.0.0'
          ? text.anyVersion
          : policy.minimumSupportedVersion}
      </Table.Td>
      <Table.Td>{ROLLBACK_WORDS[policy.rollback].name}</Table.Td>
      <Table.Td ta="end">{formatCount(channel.releases)}</Table.Td>
      <Table.Td ta="end">{formatCount(channel.served)}</Table.Td>
      {mayChange && <ChannelActions app={app} channel={channel} onDelete={onDelete} />}
    </Table.Tr>
  )
}

function hasEarlyAccess({ earlyAccess: { deviceIds, targets } }: Channel['policy']): boolean {
  return deviceIds.length + targets.length > 0
}

function ChannelActions({ app, channel, onDelete }: Omit<RowProps, 'mayChange'>) {
  const [editing, setEditing] = useState(false)
  return (
    <Table.Td>
      <Group justify="end">
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon color="gray" aria-label={text.manageChannel(channel.name)}>
              <IconDots size={16} aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={app.archived} onClick={() => setEditing(true)}>
              {text.editPolicy}
            </Menu.Item>
            <Menu.Item c="var(--tidegate-bad)" onClick={onDelete}>
              {text.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <PolicyDialog
        app={app.ref}
        channel={channel.name}
        opened={editing}
        onClose={() => setEditing(false)}
      />
    </Table.Td>
  )
}
