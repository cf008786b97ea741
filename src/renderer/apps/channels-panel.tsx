import { Group, Menu } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { IconButton, Panel, SmallButton } from '../components/blocks.tsx'
import { Dialog, useAsked } from '../components/dialog/dialog.tsx'
import { DataTable } from '../components/list/data-table.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { Small, TextLink } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { CreateChannelForm, DeleteChannelDialog } from './channel-dialogs.tsx'
import { PolicyForm } from './policy-form.tsx'
import { ROLLBACK_WORDS, UPDATE_MODE_WORDS } from './policy-strings.ts'
import { text } from './strings.ts'

type Channel = AppDetail['channels'][number]

/** The channels of an app and the policy that every decision on them follows. */
export function ChannelsPanel({ app }: { readonly app: AppDetail }) {
  const [creating, setCreating] = useState(false)
  const close = () => setCreating(false)
  const deleting = useAsked<Channel>()
  const mayChange = useAccess().may('administrator', app.ref)
  const { columns } = text
  return (
    <Panel
      flush
      title={text.channels}
      actions={
        mayChange ? (
          <SmallButton icon={IconPlus} disabled={app.archived} onClick={() => setCreating(true)}>
            {text.createChannel.action}
          </SmallButton>
        ) : undefined
      }
    >
      <DataTable
        label={text.channels}
        rows={app.channels}
        keyOf={({ name }) => name}
        columns={[
          {
            ...{ name: columns.channel, className: 'wraps' },
            cell: (channel) => <ChannelName app={app.ref} channel={channel} />,
          },
          {
            name: columns.updates,
            cell: ({ policy }) => UPDATE_MODE_WORDS[policy.updateMode].name,
          },
          { name: columns.minimum, cell: ({ policy }) => minimumInWords(policy) },
          { name: columns.rollback, cell: ({ policy }) => ROLLBACK_WORDS[policy.rollback].name },
          { name: columns.releases, ta: 'end', cell: ({ releases }) => formatCount(releases) },
          { name: columns.served, ta: 'end', cell: ({ served }) => formatCount(served) },
          mayChange && {
            ...{ name: columns.actions, isUnnamed: true, w: 48 },
            cell: (channel) => (
              <ChannelActions app={app} channel={channel} onDelete={() => deleting.ask(channel)} />
            ),
          },
        ]}
      />
      {deleting.about && (
        <DeleteChannelDialog app={app} channel={deleting.about} {...deleting.dialog} />
      )}
      <Dialog opened={creating} onClose={close} title={text.createChannel.title}>
        <CreateChannelForm app={app.ref} onClose={close} />
      </Dialog>
    </Panel>
  )
}

function ChannelName({ app, channel }: { readonly app: string; readonly channel: Channel }) {
  const { name, policy } = channel
  return (
    <>
      <TextLink to={paths.channelReleases(app, name)}>{name}</TextLink>
      {policy.requireApproval && <Small>{text.requiresApproval}</Small>}
      {policy.proving === 'required' && <Small>{text.requiresProof}</Small>}
      {hasEarlyAccess(policy) && <Small>{text.hasEarlyAccess}</Small>}
    </>
  )
}

function minimumInWords({ minimumSupportedVersion: minimum }: Channel['policy']): string {
  return minimum === '0.0.0' ? text.anyVersion : minimum
}

function hasEarlyAccess({ earlyAccess: { deviceIds, targets } }: Channel['policy']): boolean {
  return deviceIds.length + targets.length > 0
}

interface ActionsProps {
  readonly app: AppDetail
  readonly channel: Channel
  readonly onDelete: () => void
}

function ChannelActions({ app, channel, onDelete }: ActionsProps) {
  const [editing, setEditing] = useState(false)
  const close = () => setEditing(false)
  return (
    <>
      <Group justify="end">
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <IconButton icon={IconDots} aria-label={text.manageChannel(channel.name)} />
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
      <Dialog opened={editing} onClose={close} title={text.policy.title(channel.name)} size="lg">
        <CurrentPolicy app={app.ref} channel={channel.name} onClose={close} />
      </Dialog>
    </>
  )
}

interface PolicyProps {
  readonly app: string
  readonly channel: string
  readonly onClose: () => void
}

/** Edits the policy that every decision on a channel follows. */
function CurrentPolicy({ app, channel, onClose }: PolicyProps) {
  const detail = useQuery(server.channels.policy.queryOptions({ app, channel }))
  const [reviews, setReviews] = useState(0)
  return (
    <Loaded query={detail}>
      {(current) => (
        <PolicyForm
          key={reviews}
          app={app}
          channel={channel}
          current={current}
          onReview={() => setReviews(reviews + 1)}
          onClose={onClose}
        />
      )}
    </Loaded>
  )
}
